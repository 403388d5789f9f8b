// Jest's hooks are plain modules in its main process; the testkit is TypeScript, and may not be built yet.
import { tsImport } from 'tsx/esm/api';

const { serveInfrastructure } = await tsImport('../src/infrastructure/infrastructure.ts', import.meta.url);
const { INFRASTRUCTURE_VARIABLE } = await tsImport('../src/infrastructure/shared-infrastructure.ts', import.meta.url);

let running;

/** Offers PostgreSQL and RabbitMQ to the tests of this run; starts neither before a test asks for it. */
export async function openInfrastructure() {
  running = await serveInfrastructure((line) => process.stderr.write(`${line}\n`));
  process.env[INFRASTRUCTURE_VARIABLE] = running.url;
}

/** Ends what was started. */
export async function closeInfrastructure() {
  await running?.close();
  running = undefined;
}
