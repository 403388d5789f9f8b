import { drawDeck } from './awkward-decks.js';
import { drawProject } from './awkward-projects.js';
import { between, pick, type Random } from './draw.js';

/** A request of a user who is signed in. */
export interface AwkwardRequest {
  /** For people: what is awkward about it. */
  readonly what: string;
  readonly path: '/jobs/direct' | '/estimate';
  readonly body: string;
}

const SIM_TYPES = ['simA', 'simB', 'simC', 'simD'] as const;
const PATHS = ['/jobs/direct', '/estimate'] as const;

/** JSON texts in the place of a project. */
const SHAPES: readonly ((random: Random) => string)[] = [
  (random) => `{"a":${'['.repeat(between(random, 1, 60_000))}`,
  (random) => {
    const depth = between(random, 1, 60_000);
    return `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
  },
  (random) => `{${'"__proto__":{"a":1},'.repeat(between(random, 1, 50_000))}"a":1}`,
  (random) => `{"a":[${'1e400,'.repeat(between(random, 1, 200_000))}0]}`,
  (random) => `{"a":"${'\\u0000\\ud800'.repeat(between(random, 1, 100_000))}"}`,
  (random) => `{"project":{"title":"${'x'.repeat(between(random, 1, 2_000_000))}"},"beam":null}`,
  (random) => `{${Array.from({ length: between(random, 1, 100_000) }, (_, at) => `"k${at}":null`).join()}}`,
  (random) => `{"figureManager":{"figures":[${'{"type":"x"},'.repeat(between(random, 1, 1_200))}{}]}}`,
  (random) => `{"scoringManager":{"outputs":[${'{"quantities":[{},{}]},'.repeat(between(random, 1, 600))}{}]}}`,
];

/** The next request by a seed. */
export function drawRequest(random: Random): AwkwardRequest {
  const path = pick(PATHS, random);
  const head = { ntasks: between(random, 1, 4), on_unsupported: pick(['refuse', 'omit'], random) };
  const kind = random();
  if (kind < 0.5) {
    const { what, simData } = drawProject(random);
    const simType = pick(SIM_TYPES, random);
    const body = JSON.stringify({ ...head, sim_type: simType, input_type: 'editor', sim_data: simData });
    return { what: `${what}, for ${simType}`, path, body };
  }
  if (kind < 0.8) {
    const { what, simType, simData } = drawDeck(random);
    return { what, path, body: JSON.stringify({ ...head, sim_type: simType, input_type: 'files', sim_data: simData }) };
  }
  const at = between(random, 0, SHAPES.length - 1);
  const shape = SHAPES[at]?.(random) ?? '{}';
  const inputType = pick(['editor', 'files'], random);
  const text = `{"sim_type":"${pick(SIM_TYPES, random)}","ntasks":1,"input_type":"${inputType}","sim_data":${shape}}`;
  return { what: `JSON of shape ${at}`, path, body: text };
}
