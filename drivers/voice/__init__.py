"""From lines to sound: engines that speak, sinks that are heard, and a mouth for every place.

Engines and sinks are programs of their own (espeak-ng and Piper are under the GPL): texts go to them by standard input.
"""
