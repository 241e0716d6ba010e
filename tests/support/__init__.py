"""What tests stand on: devices, houses and words that belong to no single test."""
