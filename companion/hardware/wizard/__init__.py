"""The first start: from the devices found and the answers given to a new config.yaml.

`walk` asks, `_plan` makes settings of the answers, `text` writes them down, and `place` puts the file where it belongs.
All but the last are pure; screen and terminal are two ways to lead the same walk.
"""
