// `pnpm judge`: every project of examples/ that simC can convert, through the whole suite on a real Geant4 and on the built-in engine, side by
// side: ranges and gamma pass rates of each page, as GET /results/compare gives them. Geant4 comes from PyPI into the user's cache.
//   --primaries N   of each job (20000)
//   --tasks N       of each job (8)
//   --only NAME     one project, or several by comma
//   --slots N       tasks at once (as many as processors)
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { formatReading, TallyClient } from '../../packages/client/dist/src/index.js';
import { createRunDirectory, provideGeant4, removeRunDirectory } from '../../packages/testkit/dist/src/index.js';
import { ENGINE_SIM_TYPE, GAMMA, geant4Environment, runJob, signUp } from '../../tools/demo/geant4.mjs';
import { startServers } from '../../tools/demo/servers.mjs';

const folder = path.join(import.meta.dirname, '../../examples');
const { values: options } = parseArgs({
  options: {
    primaries: { type: 'string', default: '20000' },
    tasks: { type: 'string', default: '8' },
    only: { type: 'string', default: '' },
    slots: { type: 'string' },
  },
});
const say = (line = '') => process.stdout.write(`${line}\n`);

const textOf = (value, digits, unit) =>
  value === undefined || value === null ? '' : `${value.toFixed(digits)} ${unit}`;

/** One row for each page that the two jobs share. */
function listRows(name, estimators) {
  return estimators.flatMap((estimator) =>
    estimator.pages
      .filter((page) => page.not_compared === undefined)
      .map((page) => {
        const read = (wanted) => page.reading_differences?.find((one) => one.name === wanted);
        const textOfReading = (reading) => (reading === undefined ? '' : formatReading(reading));
        const ratio = page.chi_square === undefined ? undefined : page.chi_square / page.degrees_of_freedom;
        return [
          name,
          `${estimator.name} ${page.name}`,
          textOfReading(read('R80')),
          textOfReading(read('R90')),
          textOf(page.gamma?.pass_rate && 100 * page.gamma.pass_rate, 1, '%'),
          textOf(ratio, 2, ''),
        ];
      }),
  );
}

async function compare(client, name) {
  const project = JSON.parse(fs.readFileSync(path.join(folder, `${name}.json`), 'utf8'));
  project.beam.numberOfParticles = Number(options.primaries);
  const submission = { sim_data: project, ntasks: Number(options.tasks) };
  const real = await runJob(client, { ...submission, sim_type: 'simC' });
  const engine = await runJob(client, { ...submission, sim_type: ENGINE_SIM_TYPE });
  const query = { job_id: engine, with: real, ...GAMMA };
  return client.request('GET', '/results/compare', { query });
}

const directory = createRunDirectory('judge');
let servers;
try {
  const geant4 = await provideGeant4(say);
  if (geant4 === undefined) process.exit(1);
  const env = geant4Environment(geant4);
  if (options.slots !== undefined) env['direct-runner'].RUNNER_SLOTS = options.slots;
  servers = await startServers({ directory, install: false, port: 0, say, env });
  const client = new TallyClient(servers.suite.gatewayUrl);
  await signUp(client);
  say(`\n| project | page | R80, Geant4 − engine | R90 | gamma 2 %/2 mm | χ²/n |\n|---|---|---|---|---|---|`);
  for (const file of fs.readdirSync(folder).filter((one) => one.endsWith('.json'))) {
    const name = path.basename(file, '.json');
    if (options.only !== '' && !options.only.split(',').includes(name)) continue;
    const { estimators } = await compare(client, name);
    for (const row of listRows(name, estimators)) say(`| ${row.join(' | ')} |`);
  }
} finally {
  await servers?.stop();
  removeRunDirectory(directory);
}
process.exit(0);
