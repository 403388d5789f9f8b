export { describeCurve } from './describe-curve.js';
export type { DepthAxis, JobDescription, ProblemDescription } from './problem-description.js';
export {
  type Curve,
  type CurveDescription,
  type CurveKind,
  formatReading,
  type Reading,
  type ReadingName,
  readCurve,
} from './readings.js';
