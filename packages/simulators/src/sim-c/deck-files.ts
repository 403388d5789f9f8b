export const GEOMETRY_FILE = 'geometry.gdml';
export const MACRO_FILE = 'run.mac';
/** What the analysis manager is told to write; every histogram becomes a file of its own beside it. */
export const ANALYSIS_FILE = 'histograms.csv';
