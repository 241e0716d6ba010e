"""Parts shared by several boards, without knowledge of games."""
