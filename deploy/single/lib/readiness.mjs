// What the gateway says of itself and of the services behind it.
import { Fault, output, waitFor } from './system.mjs';

const SCRIPT = `fetch('http://127.0.0.1:8080/readyz', { signal: AbortSignal.timeout(8000) })
  .then((answer) => answer.json()).then((body) => console.log(JSON.stringify(body)), (err) => { console.error(err.message); process.exit(1); })`;

/** `{isReady, reasons}`; reasons are sentences. */
export async function askReadiness() {
  try {
    const answer = JSON.parse(await output('podman', ['exec', 'tally-gateway', 'node', '-e', SCRIPT]));
    const down = (answer.dependencies ?? []).filter(({ state }) => state !== 'up');
    const reasons = down.map(({ name, reason }) => `${name}: ${reason ?? 'it does not answer'}`);
    return { isReady: answer.message === 'ready', reasons };
  } catch {
    return { isReady: false, reasons: ['gateway: it does not answer (journalctl -u tally-gateway)'] };
  }
}

/** Waits until all services are able to do their work. @throws Fault that says which are not, and why */
export async function waitUntilReady(timeoutMs) {
  let last = [];
  await waitFor(
    async () => {
      const { isReady, reasons } = await askReadiness();
      last = reasons;
      return isReady;
    },
    { what: () => `not ready: ${last.join('; ')}`, timeoutMs },
  ).catch((err) => {
    throw new Fault(err.message);
  });
}
