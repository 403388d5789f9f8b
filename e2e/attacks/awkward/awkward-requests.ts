import { drawDeck } from './awkward-decks.js';
import { drawProject } from './awkward-projects.js';
import { between, pick, type Random, times } from './draw.js';

/** A request of a user who is signed in. */
export interface AwkwardRequest {
  /** For people: what is awkward about it. */
  readonly what: string;
  readonly path: Path;
  readonly body: string;
}

const SIM_TYPES = ['simA', 'simB', 'simC', 'simD'] as const;
type Path = '/jobs/direct' | '/jobs/batch' | '/estimate';
/** Where users of each platform ask. */
const PATHS: Readonly<Record<'direct' | 'batch', readonly Path[]>> = {
  direct: ['/jobs/direct', '/estimate'],
  batch: ['/jobs/batch'],
};

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

const OPTION_NAMES = ['mem', 'time', 'partition', 'account', 'constraint', 'comment', '--mem', '__proto__', 'ntasks'];

/** Options for a scheduler, of which it takes few. */
function drawOptions(random: Random): Record<string, unknown> {
  const values = [
    () => '512M',
    () => between(random, 0, 1e15),
    () => 'x'.repeat(between(random, 1, 100_000)),
    () => `\u0000\n'"$(id)\`id\`\ud800`.repeat(between(random, 1, 1_000)),
  ];
  const names =
    random() < 0.5 ? ['mem'] : times(between(random, 1, 20_000), (at) => `${pick(OPTION_NAMES, random)}${at || ''}`);
  return Object.fromEntries(names.map((name) => [name, pick(values, random)()]));
}

/** The next request by a seed. */
export function drawRequest(random: Random, platform: 'direct' | 'batch'): AwkwardRequest {
  const path = pick(PATHS[platform], random);
  const options = path === '/jobs/batch' ? { batch_options: { scheduler_options: drawOptions(random) } } : {};
  const head = { ntasks: between(random, 1, 4), on_unsupported: pick(['refuse', 'omit'], random), ...options };
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
