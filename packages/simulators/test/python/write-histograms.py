"""Has a real Geant4 write histograms and what else its analysis manager makes, as CSV files into the current folder."""

import os

# without this the package asks whether it may download data, which histograms do not need
os.environ["GEANT4_DATA_DIR"] = os.devnull

import geant4_pybind as g4  # noqa: E402

manager = g4.G4CsvAnalysisManager.Instance()
manager.CreateH1("fixed", "a title, with a comma", 4, 0.0, 10.0)
manager.SetH1XAxisTitle(0, "depth")
manager.CreateH1("log", "energies", 2, 1.0, 100.0, "MeV", "none", "log")
manager.CreateH1("edges", "edges", g4.G4doubleVector([0.0, 1.0, 5.0, 9.0]))
manager.CreateH2("map", "map", 2, 0.0, 2.0, 3, 0.0, 3.0)
manager.CreateH3("space", "space", 2, 0.0, 2.0, 1, 0.0, 1.0, 2, 0.0, 4.0)
manager.CreateP1("profile", "profile", 2, 0.0, 2.0)
manager.CreateNtuple("rows", "rows")
manager.CreateNtupleDColumn("energy")
manager.FinishNtuple()
manager.OpenFile("run.csv")
manager.FillH1(0, -1.0)
manager.FillH1(0, 3.0, 2.0)
manager.FillH1(0, 3.5, 0.5)
manager.FillH1(1, 50.0, 4.0)
manager.FillH1(2, 4.0)
manager.FillH2(0, 1.5, 0.5, 7.0)
manager.FillH2(0, 0.5, 2.5, 8.0)
manager.FillH3(0, 1.5, 0.5, 3.0, 9.0)
manager.FillP1(0, 0.5, 1.0)
manager.FillNtupleDColumn(0, 1.5)
manager.AddNtupleRow()
manager.Write()
manager.CloseFile()
