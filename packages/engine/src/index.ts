export * from './engine-command.js';
export { type Fault, ProblemError } from './fault.js';
export {
  BLACK_HOLE_ICRU,
  type ElementFraction,
  findMaterial,
  GRAPHITE_ICRU,
  ionisationEv,
  type LibraryMaterial,
  listMaterials,
  VACUUM_ICRU,
  WATER_ICRU,
} from './material/material-library.js';
export * from './problem/problem.js';
export { findWarnings, type ProblemWarning } from './problem/problem-warnings.js';
export { parseProblem, parseTask, validateProblem, validateTask } from './problem/validate-problem.js';
export { type SimulateOptions, simulate } from './simulate.js';
export * from './transport/physics-tables.js';
export { createZoneFinder, type ProblemGeometry } from './transport/zone-finder.js';
export * from './version.js';
