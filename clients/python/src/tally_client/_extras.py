from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Around the import of a package that an extra of this one brings.

    Raises:
        ImportError: the package is not there; the message says how to install it.
    """
    try:
        yield
    except ImportError as error:
        raise ImportError(f'this needs {extra}: pip install "tally-client[{extra}]"', name=error.name) from error
