import { quantile } from '../quantile.js';
import { type AskedRequest, PHASES, type Phase } from './honest-users.js';

/** What is measured: asked by every page of the console, and answered without another service. */
const MEASURED = 'GET /auth/status';
const RATIO_MAX = 3;
/** Below it a p99 is the one slowest request. */
const MEASURED_MIN = 200;

export interface PhaseAnswers {
  readonly phase: Phase;
  /** Requests by the status of their answers; 0: no answer. */
  readonly countByStatus: ReadonlyMap<number, number>;
  /** Of GET /auth/status. */
  readonly measuredCount: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** What honest users were answered, by phase. */
export interface HonestAnswers {
  readonly phases: readonly PhaseAnswers[];
  /** p99 of the loaded phase over that of the quiet one. */
  readonly ratio: number;
  /** What is not as promised: each answer 5xx or none, a ratio above 3, too few requests to tell. */
  readonly violations: readonly string[];
}

export function judgeHonestAnswers(asked: readonly AskedRequest[]): HonestAnswers {
  const phases = PHASES.map((phase) => describePhase(phase, asked));
  const [quiet, loaded] = phases.map(({ p99Ms }) => p99Ms);
  const ratio = (loaded ?? 0) / (quiet ?? 0);
  const faults = asked.filter(({ status }) => status === 0 || status >= 500);
  const few = phases.filter(({ measuredCount }) => measuredCount < MEASURED_MIN);
  return {
    phases,
    ratio,
    violations: [
      ...faults.map(
        ({ phase, route, status, ms, detail }) => `${phase}: ${route} → ${status} (${ms.toFixed(0)} ms) ${detail}`,
      ),
      ...few.map(({ phase, measuredCount }) => `${phase}: only ${measuredCount} times ${MEASURED}`),
      ...(ratio <= RATIO_MAX ? [] : [`the p99 of ${MEASURED} is ${ratio.toFixed(1)} times the quiet one`]),
    ],
  };
}

function describePhase(phase: Phase, asked: readonly AskedRequest[]): PhaseAnswers {
  const own = asked.filter((one) => one.phase === phase);
  const statuses = [...new Set(own.map(({ status }) => status))].toSorted((a, b) => a - b);
  const times = own.filter(({ route }) => route === MEASURED).map(({ ms }) => ms);
  return {
    phase,
    countByStatus: new Map(statuses.map((status) => [status, own.filter((one) => one.status === status).length])),
    measuredCount: times.length,
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
  };
}
