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
} from './material-library.js';
export * from './physics-tables.js';
export * from './problem.js';
export { findWarnings, type ProblemWarning } from './problem-warnings.js';
export { type SimulateOptions, simulate } from './simulate.js';
export { parseProblem, parseTask, validateProblem, validateTask } from './validate-problem.js';
export * from './version.js';
