// What the gateway says of itself and of the services behind it.
import { presentUnits, systemdName } from './derive.mjs';
import { logOf } from './layout.mjs';
import { engine, Fault, output, systemctl, waitFor } from './system.mjs';

const SCRIPT = `fetch('http://127.0.0.1:8080/readyz', { signal: AbortSignal.timeout(8000) })
  .then((answer) => answer.json()).then((body) => console.log(JSON.stringify(body)), (err) => { console.error(err.message); process.exit(1); })`;
/** A service that has ended so often while others wait for it does not start. */
const RESTARTS_MAX = 6;

/** `{isReady, reasons}`; reasons are sentences. */
export async function askReadiness() {
  try {
    const answer = JSON.parse(await output(await engine(), ['exec', 'tally-gateway', 'node', '-e', SCRIPT]));
    const down = (answer.dependencies ?? []).filter(({ state }) => state !== 'up');
    const reasons = down.map(({ name, reason }) => `${name}: ${reason ?? 'it does not answer'}`);
    return { isReady: answer.message === 'ready', reasons };
  } catch {
    return { isReady: false, reasons: [`gateway: it does not answer (${logOf('gateway')})`] };
  }
}

/** Units of containers by the number of their restarts. */
async function readRestarts() {
  const units = presentUnits().filter((name) => name.endsWith('.container'));
  const counts = await Promise.all(
    units.map(async (name) => [
      systemdName(name),
      Number(await systemctl('show', '--property', 'NRestarts', '--value', systemdName(name))),
    ]),
  );
  return Object.fromEntries(counts);
}

/** What a service has said of its failed start. */
async function lastWords(unit) {
  const lines = await output('journalctl', ['--unit', unit, '--lines', '200', '--output', 'cat', '--no-pager']);
  const said = lines.split('\n').findLast((line) => line.includes('"start failed"') || line.startsWith('Error'));
  const { reason, faults } = said?.startsWith('{') ? JSON.parse(said) : { reason: said };
  return faults?.join(', ') ?? reason ?? `read: journalctl -u ${unit}`;
}

/** Waits until all services are able to do their work. @throws Fault that says which are not, and why */
export async function waitUntilReady(timeoutMs) {
  const before = await readRestarts();
  let last = [];
  const ask = async () => {
    const { isReady, reasons } = await askReadiness();
    if (isReady) return true;
    last = reasons;
    const restarts = Object.entries(await readRestarts());
    const [unit] = restarts.find(([name, count]) => count - (before[name] ?? 0) >= RESTARTS_MAX) ?? [];
    if (unit !== undefined) throw new Fault(`${unit} does not start: ${await lastWords(unit)}`);
    return false;
  };
  await waitFor(ask, { what: () => `not ready: ${last.join('; ')}`, timeoutMs });
}
