// Writes src/gen/idempotency.ts: the idempotency_level of every RPC, read from proto/ by proto-loader, because the
// generated service definitions do not carry method options. Clients retry only what is listed there.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import protoLoader from '@grpc/proto-loader';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const protoRoot = path.join(root, '../../proto');
const files = fs.globSync
  ? fs.globSync('**/*.proto', { cwd: protoRoot })
  : fs.readdirSync(protoRoot, { recursive: true });
const services = files.filter((file) => file.endsWith('.proto') && !file.startsWith('google')).sort();
const definition = protoLoader.loadSync(services, { includeDirs: [protoRoot] });
const methods = Object.values(definition)
  .flatMap((entry) => ('format' in entry ? [] : Object.values(entry)))
  .filter((method) => ['IDEMPOTENT', 'NO_SIDE_EFFECTS'].includes(method.options?.idempotency_level))
  .map((method) => `  '${method.path}',`)
  .sort();
const text = `/* Generated from proto/ by scripts/gen-idempotency.mjs. */
/** Paths of the RPCs that are safe to send twice. */
export const IDEMPOTENT_METHODS: ReadonlySet<string> = new Set([
${methods.join('\n')}
]);
`;
fs.writeFileSync(path.join(root, 'src/gen/idempotency.ts'), text);
