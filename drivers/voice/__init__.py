"""From lines to sound: engines that speak, sinks that play, and a mouth for every place.

Engines and sinks are separate programs (espeak-ng and Piper are under the GPL): texts go to them by standard input.
"""
