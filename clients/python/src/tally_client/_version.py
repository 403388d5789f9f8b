"""The version of this package, which is that of the service that it was released with."""

__version__ = "0.2.0"
