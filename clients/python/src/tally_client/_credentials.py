"""Where the service is and who asks: as arguments say, the environment, or the configuration of the command ``tally``."""

from __future__ import annotations

import json
import os
from pathlib import Path
from urllib.parse import urlsplit

from ._problems import ProjectError, TallyError

LOCAL_URL = "http://127.0.0.1:8080"


class Secret:
    """A text that neither a repr nor a traceback shows."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return "Secret(…)"

    def __reduce__(self) -> str:
        raise TypeError("a secret cannot be pickled")


def config_file() -> Path:
    """Where ``tally login`` keeps address and token: XDG Base Directory Specification 0.8."""
    base = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(base) / "tally" / "config.json"


def read_config() -> dict[str, str]:
    """What it keeps; nothing where there is no file. :raises TallyError: the file is something else"""
    try:
        config = json.loads(config_file().read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise TallyError(f"{config_file()} is not what tally login writes: {error}") from None
    known = config if isinstance(config, dict) else {}
    return {name: known[name] for name in ("url", "token") if isinstance(known.get(name), str)}


def write_config(url: str, token: Secret) -> None:
    """Keeps both where their owner alone can read them, whatever the umask; replaces the file as a whole."""
    file = config_file()
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = file.with_name(f"{file.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "w", encoding="utf-8") as stream:
        json.dump({"url": url, "token": token.reveal()}, stream, indent=2)
        stream.write("\n")
    draft.replace(file)


def find_url(url: str | None) -> str:
    """The address without a slash at its end. :raises ProjectError: it is none"""
    given = url or os.environ.get("TALLY_URL") or read_config().get("url") or LOCAL_URL
    parts = urlsplit(given)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ProjectError("url", f"must be an address such as https://tally.example.org, not {given!r}")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ProjectError("url", "must have no user, password, query or fragment")
    return given.rstrip("/")


def find_token(url: str, token: str | None) -> Secret | None:
    """The token for a service. One that is kept for another address is not sent there."""
    if token is not None:
        return _checked(token)
    variable = os.environ.get("TALLY_TOKEN")
    if variable and os.environ.get("TALLY_URL", url).rstrip("/") == url:
        return _checked(variable)
    config = read_config()
    if config.get("url", "").rstrip("/") == url and config.get("token"):
        return _checked(config["token"])
    return None


def _checked(token: str) -> Secret:
    text = token.strip()
    if not text or not text.isascii() or not text.isprintable() or " " in text:
        raise ProjectError("token", "must be a token as the service has shown it (tly_…)")
    return Secret(text)
