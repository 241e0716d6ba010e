"""One game as the line of its acts: `Session.receive` is the only way in, `view` the only way out.

Here an act is undone, redone, amended or decided, and the line is judged anew (T-5 to T-9).
"""

from companion.session.session import FAIR_MS, Session, late

__all__ = ["FAIR_MS", "Session", "late"]
