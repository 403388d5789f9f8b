// `pnpm test:faults`: jobs flow while one thing after another breaks (e2e/faults); the report goes into docs/reliability.md.
//   --jobs N      jobs at least (100)
//   --faults N    faults at least (100)
//   --seed N      of the schedule of faults (1)
//   --copies N    of each service, and runners (2)
//   --at-once N   jobs at once (6; with --beside 2)
//   --only TEXT   only kinds of faults with this in their name
//   --notify      the user is told of every end: one mail a job, and a webhook at least once
//   --cluster     a quarter of those at once on a real Slurm (as root)
//   --answers     instead of all that: a real Slurm (as root), realm, object store and broker answer anything, --faults times (400; --jobs 200)
//   --awkward     instead of all that: users send awkward requests for --seconds (600), and no event loop is held
//   --beside      instead of all that: 20 honest users for --seconds (600), a fifth of it alone, then beside answers and awkward requests (as root)
//   --scenarios   instead of all that: the table of scenarios; or only those that follow, as in `--scenarios S1 S7`
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';

const root = path.join(import.meta.dirname, '../..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  args: process.argv.slice(2).filter((word) => word !== '--'),
  options: {
    jobs: { type: 'string' },
    faults: { type: 'string' },
    seed: { type: 'string', default: '1' },
    copies: { type: 'string', default: '2' },
    'at-once': { type: 'string' },
    only: { type: 'string' },
    notify: { type: 'boolean', default: false },
    cluster: { type: 'boolean', default: false },
    answers: { type: 'boolean', default: false },
    awkward: { type: 'boolean', default: false },
    beside: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '600' },
    scenarios: { type: 'boolean', default: false },
  },
});
const numbers = {
  jobs: Number(values.jobs ?? (values.answers ? 200 : 100)),
  faults: Number(values.faults ?? (values.answers ? 400 : 100)),
  seed: Number(values.seed),
  copies: Number(values.copies),
  atOnce: Number(values['at-once'] ?? (values.beside ? 2 : 6)),
  seconds: Number(values.seconds),
};
const wrong = Object.entries(numbers).find(([, value]) => !Number.isSafeInteger(value) || value < 1);
if (wrong !== undefined) {
  console.error(`${wrong[0]} must be a whole number of at least 1`);
  process.exit(2);
}
const { jobs, faults, seed, atOnce, seconds } = numbers;
const runs = {
  scenarios: ['e2e/faults/scenarios', { TALLY_SCENARIOS: positionals.join(',') || 'all' }],
  answers: ['e2e/faults/answers', { TALLY_ANSWERS: JSON.stringify({ jobs, answers: faults, seed, atOnce }) }],
  awkward: ['e2e/attacks/awkward-requests', { TALLY_AWKWARD: JSON.stringify({ seconds, seed }) }],
  beside: ['e2e/faults/beside', { TALLY_BESIDE: JSON.stringify({ seconds, seed, atOnce }) }],
  faults: [
    'e2e/faults/faults-while',
    {
      TALLY_FAULTS: JSON.stringify({
        ...numbers,
        hasCluster: values.cluster,
        hasWord: values.notify,
        only: values.only,
      }),
    },
  ],
};
const [file, asked] = runs[['scenarios', 'answers', 'awkward', 'beside'].find((run) => values[run]) ?? 'faults'];
const jest = path.join(root, 'node_modules/jest/bin/jest.js');
const { status } = spawnSync(
  process.execPath,
  ['--experimental-vm-modules', '--no-warnings=ExperimentalWarning', jest, file],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...asked },
  },
);
process.exit(status ?? 1);
