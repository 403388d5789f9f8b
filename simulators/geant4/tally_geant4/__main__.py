import sys

from tally_geant4.command import main

sys.exit(main())
