"""Runs the simC decks of Tally, a GDML geometry and a macro, on Geant4."""
