import type { Options } from '../../submit/options-form.js';
import { type JsonObject, numberAt } from '../model/pointer.js';

/** Tasks that a small deployment has workers for. */
const TASKS = 4;

/** How a project runs unless somebody says otherwise. */
export function usualOptions(project: JsonObject): Options {
  return {
    simulator: 'simA',
    platform: 'direct',
    cluster: '',
    schedulerOptions: {},
    tasks: Math.max(1, Math.min(TASKS, numberAt(project, '/beam/numberOfParticles', 1_000))),
    seed: '',
    title: '',
    isOmitting: false,
    target: undefined,
  };
}
