"""Why the program ends without a result, in one sentence."""

#: sysexits.h, EX_USAGE: the arguments.
USAGE = 64
#: sysexits.h, EX_DATAERR: Geant4 or this program refuses the deck; another attempt would end in the same way.
DECK = 65
#: sysexits.h, EX_UNAVAILABLE: something that should be installed is missing.
MISSING = 69


class Refusal(Exception):
    """A sentence for users, and the exit code that goes with it."""

    def __init__(self, sentence: str, exit_code: int = DECK):
        super().__init__(sentence)
        self.exit_code = exit_code
