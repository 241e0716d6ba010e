"""The first start: what was found, who answers from where, and the config.yaml that comes of it.

`walk` asks, `plan` makes settings of the answers, `text` writes them down, and `place` puts the file where it belongs.
All but the last are pure; screen and terminal are two ways to lead the same walk.
"""
