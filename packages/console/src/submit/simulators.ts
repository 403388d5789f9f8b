import type { Output } from '../api/client.js';
import { TEXTS } from '../texts.js';

type SimulatorType = Output<'GET', '/simulators'>['simulators'][number]['sim_type'];

/** What the names of the interface stand for (docs/simulators.md). */
export const SIMULATOR_NAMES: Readonly<Record<SimulatorType, string>> = {
  simA: 'SHIELD-HIT12A',
  simB: 'FLUKA',
  simC: 'Geant4',
  simD: 'TOPAS',
};

/** Of Tally's own engine, which stands in where a program is not installed. */
const BUILT_IN = /^reference\b/;

/** What computes jobs of a simulator here; empty: nothing does now. @param engine - undefined: not known yet */
export function engineWords(engine: string | undefined): string {
  if (engine === undefined) return '';
  if (engine === '') return TEXTS.submit.notInstalled;
  return BUILT_IN.test(engine) ? TEXTS.submit.builtIn(engine) : TEXTS.submit.runsHere(engine);
}
