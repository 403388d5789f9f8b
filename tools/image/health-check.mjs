// HEALTHCHECK of every image: is the process in this container alive? Exit code 0 or 1. Kubernetes asks by itself.
// image.json says which protocol the service speaks and which variable holds the address it listens on.
import { readFileSync } from 'node:fs';

const TIMEOUT_MS = 3_000;
const { listenVariable, protocol } = JSON.parse(readFileSync(new URL('../image.json', import.meta.url), 'utf8'));
const listen = process.env[listenVariable] ?? '';
const port = Number(listen.slice(listen.lastIndexOf(':') + 1));

async function askHttp() {
  const answer = await fetch(`http://127.0.0.1:${port}/livez`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
}

async function askGrpc() {
  const { Client, credentials } = await import('@grpc/grpc-js');
  const { health } = await import('@tally/contracts');
  const { path, requestSerialize, responseDeserialize } = health.HealthService.check;
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), { 'grpc.enable_http_proxy': 0 });
  const answer = await new Promise((resolve, reject) =>
    client.makeUnaryRequest(
      path,
      requestSerialize,
      responseDeserialize,
      { service: 'liveness' },
      { deadline: Date.now() + TIMEOUT_MS },
      (err, value) => (err ? reject(err) : resolve(value)),
    ),
  );
  client.close();
  if (answer.status !== health.HealthCheckResponse_ServingStatus.SERVING) throw new Error(`status ${answer.status}`);
}

try {
  if (!(port > 0)) throw new Error(`${listenVariable} names no port`);
  await (protocol === 'http' ? askHttp() : askGrpc());
  process.exit(0);
} catch (err) {
  console.error(`not healthy: ${err.message}`);
  process.exit(1);
}
