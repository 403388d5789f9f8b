export { axisTop, isCertain, peakBin } from './axis-top.js';
export { CHOSEN_UNITS, inUnit, isPerPrimary, unitsLike } from './page-units.js';
export type { DepthAxis, JobDescription, ProblemDescription } from './problem-description.js';
export { type CurvePage, readings } from './read-page.js';
export {
  differencesOf,
  formatReading,
  type Reading,
  type ReadingName,
  type ToldReading,
} from './readings.js';
