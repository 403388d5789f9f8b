export const MATERIAL_FILE = 'mat.dat';
export const GEOMETRY_FILE = 'geo.dat';
export const DETECTOR_FILE = 'detect.dat';
/** Beam of a plan or phase space; the simulator is told this name, whatever the user's file was called. */
export const SOURCE_FILE = 'sobp.dat';
