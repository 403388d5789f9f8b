/** What of the simulator's own parameters has to do with histories and the session (OpenTOPAS 4, TsDefaultParameters). */
export const DEFAULT_PARAMETERS = `
i:Ts/Seed = 1
i:Ts/NumberOfThreads = 1
i:Ts/ShowHistoryCountAtInterval = 1
i:Ts/MaxShowHistoryCountInterval = 2147483647
i:Ts/MaxStepNumber = 1000000
i:Ts/RunIDPadding = 4
i:Ts/FindSeedForRun = 0
i:Ts/FindSeedForHistory = -1
b:Ts/RestoreResultsFromFile = "False"
b:Ts/PauseBeforeInit = "False"
b:Ts/PauseBeforeSequence = "False"
b:Ts/PauseBeforeQuit = "False"
b:Ts/UseQt = "False"
b:Tf/RandomizeTimeDistribution = "False"
d:Tf/TimelineStart = 0. s
d:Tf/TimelineEnd = Tf/TimelineStart s
i:Tf/NumberOfSequentialTimes = 1
i:Tf/Verbosity = 0
i:So/Verbosity = 0
s:So/Demo/Type = "Beam"
i:So/Demo/NumberOfHistoriesInRun = 0
i:So/Demo/NumberOfHistoriesInRandomJob = 0
`;
