// What every machine of the test goes through, whatever starts its containers.
import { step } from '../test/steps.mjs';

/** A shell of the machine: what comes from Debian's archive has a network. */
export const type = (machine, command) =>
  command.startsWith('apt-get ') ? machine.shellOnline(`apt-get update -qq && ${command}`) : machine.shell(command);

const sql = (engine, statement) => `${engine} exec tally-postgresql psql -U postgres -At jobs -c "${statement}"`;

/** Numbers of jobs by their state. @param engine - docker or podman, which has the containers */
export const count = (machine, engine = 'podman') =>
  machine.shell(sql(engine, `SELECT state || ' ' || count(*) FROM jobs GROUP BY state ORDER BY 1`));

export const READY =
  'for i in $(seq 240); do tally-server status >/dev/null 2>&1 && exit 0; sleep 1; done; tally-server status; exit 1';

/** Pulls the plug at some moment of a job. */
export async function powerCut(machine, engine = 'podman') {
  await step('a power cut while a job runs: everything starts again, and all jobs end', async () => {
    const first = machine.shell('tally-server first-job cut').catch((err) => String(err));
    const running = sql(engine, `SELECT 1 FROM jobs WHERE state NOT IN ('COMPLETED')`);
    await machine.shell(`until ${running} | grep -q 1; do sleep 0.2; done`);
    await machine.shell(`sleep ${(Math.random() * 3).toFixed(1)}`);
    await machine.powerOff();
    await first;
    await machine.boot();
    await machine.shell(READY);
    const left = sql(engine, `SELECT count(*) FROM jobs WHERE state <> 'COMPLETED'`);
    await machine.shell(`for i in $(seq 300); do ${left} | grep -qx 0 && exit 0; sleep 1; done; exit 1`);
  });
}
