// Refreshes the generated documents: docs/settings.md, docs/errors.md, docs/adr/README.md.
// With --check it only compares, for the test run.
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

const root = path.join(import.meta.dirname, '..');
const isCheck = process.argv.includes('--check');
const services = fs.readdirSync(path.join(root, 'services')).sort();
const load = (file) => import(pathToFileURL(path.join(root, file)).href);
const stale = [];

function write(file, text) {
  const target = path.join(root, file);
  if (fs.existsSync(target) && fs.readFileSync(target, 'utf8') === text) return;
  if (isCheck) stale.push(file);
  else fs.writeFileSync(target, text);
}

const kit = await load('packages/service-kit/dist/src/index.js');
const { configTable, GRPC_TLS_PREFIX, grpcTlsKeys, kitError } = kit;

/** The table of a service's settings, from its schema. */
async function settingsSection(service) {
  const config = await load(`services/${service}/dist/src/config.js`);
  const schema = Object.entries(config).find(([name]) => name.endsWith('ConfigSchema'))?.[1];
  if (schema === undefined) throw new Error(`services/${service}/src/config.ts exports no …ConfigSchema`);
  return `## ${service}\n\n${configTable(config.CONFIG_PREFIX, schema)}\n`;
}
write(
  'docs/settings.md',
  `# Settings

Every setting of every service, from its configuration schema (\`pnpm docs:gen\`). A secret is read from the file that
\`<NAME>_FILE\` names; an unknown variable with a service's prefix stops its start.

${(await Promise.all(services.map(settingsSection))).join('\n')}
## TLS between services

The same for every service ([operators' guide](operators-guide.md#tls-between-services)).

${configTable(GRPC_TLS_PREFIX, grpcTlsKeys)}
`,
);

const tables = [kitError];
for (const service of services) {
  const file = `services/${service}/dist/src/domain/errors.js`;
  if (fs.existsSync(path.join(root, file))) tables.push((await load(file)).fail);
}
tables.push((await load('services/gateway/dist/src/errors.js')).fail);
const gateway = await load('services/gateway/dist/src/http/answer/problem.js');
const rows = tables.flatMap(({ domain, reasons }) =>
  Object.entries(reasons).map(([reason, { status, message, when }]) => {
    const http = gateway.httpStatusOf(status, reason);
    return `| \`${reason}\` | ${domain} | ${status} → ${http} | ${message} | ${when} |`;
  }),
);
const { FAILURE_CODES } = await load('packages/contracts/dist/src/index.js');
const failureRows = Object.entries(FAILURE_CODES).map(
  ([code, { stage, isRetryable, when }]) => `| \`${code}\` | ${stage} | ${isRetryable ? 'yes' : 'no'} | ${when} |`,
);
write(
  'docs/errors.md',
  `# Errors

Every reason that a service may answer with: the stable word in \`code\`, the service that owns it, its gRPC status and
the HTTP status that the gateway makes of it, what the user reads, and when it is thrown. Generated from the reason tables
(\`pnpm docs:gen\`).

| Reason | Owner | Status | Message | When |
|---|---|---|---|---|
${rows.join('\n')}

## Why a task or a job FAILED

\`failure_reason\` of a task or job: \`code\`, the \`stage\` in which it failed, \`detail\` for people, \`exit_code\` or \`signal\` of the
simulator where that is why, and \`retryable\`: the same again may go well. \`failure\` is the same as one text. Of a job that failed
with its tasks they are those of the first of these. Codes: packages/contracts/src/failure.ts.

| Code | Stage | Retryable | When |
|---|---|---|---|
${failureRows.join('\n')}
`,
);

const records = fs.readdirSync(path.join(root, 'docs/adr')).filter((name) => /^\d{4}-.*\.md$/.test(name));
const titles = records.sort().map((name) => {
  const title = /^# (\d+)\. (.+)$/m.exec(fs.readFileSync(path.join(root, 'docs/adr', name), 'utf8'));
  if (title === null) throw new Error(`docs/adr/${name} has no title "# <number>. <decision>"`);
  return `| ${title[1]} | [${title[2]}](${name}) |`;
});
write(
  'docs/adr/README.md',
  `# Decisions

Choices that bind two services or are hard to undo: context, decision, consequences, what was rejected. Generated from
their titles (\`pnpm docs:gen\`).

| | Decision |
|---|---|
${titles.join('\n')}
`,
);

if (stale.length > 0) {
  process.stderr.write(`stale, run pnpm docs:gen: ${stale.join(', ')}\n`);
  process.exit(1);
}
process.exit(0);
