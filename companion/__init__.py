"""The referee: rules, session, journal and words. Never imports drivers or screen."""

__version__ = "0.1.0"
