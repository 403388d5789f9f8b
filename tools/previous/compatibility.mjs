// Which versions of a service and of those that call it go together, as a document.
import { methodFaults } from './compare-contracts.mjs';

/** Name of the service of the suite behind a path such as `/jobs.v1.JobsService/GetJob`. */
const serviceOf = (method) => method.slice(1, method.indexOf('.')).replaceAll('_', '-');

/** RPCs that only one of two releases has, by service. */
function added(before, after) {
  const byService = new Map();
  for (const method of after.methods.keys()) {
    if (before.methods.has(method)) continue;
    const service = serviceOf(method);
    byService.set(service, [...(byService.get(service) ?? []), method.slice(method.indexOf('/', 1) + 1)]);
  }
  return byService;
}

/**
 * The document. `callers`: who calls a service; `previous`, `now`: contracts of two releases (load-contracts.mjs), `versions`
 * their names.
 * @throws Error: an RPC of the previous release is not what it was, and there is nothing to tell
 */
export function compatibilityDocument({ callers, previous, now, versions }) {
  const faults = methodFaults(previous, now);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  const [before, after] = [versions.previous, versions.now];
  const news = added(previous, now);
  const rows = Object.entries(callers).flatMap(([callee, names]) =>
    names.map(
      (caller) =>
        `| ${caller} | ${callee} | yes | yes | yes | ${news.has(callee) ? 'yes, but for what is new' : 'yes'} |`,
    ),
  );
  const lists = [...news].map(
    ([service, names]) => `| ${service} | ${names.map((name) => `\`${name}\``).join(', ')} |`,
  );
  return `# Which versions go together

Made by \`pnpm check:previous --table\`, after contract tests and a rolling upgrade under load had passed with ${before} and ${after}; do not
edit. Each column names the version of the caller, then that of the service it calls.

| Caller | Calls | ${before}, ${before} | ${before}, ${after} | ${after}, ${after} | ${after}, ${before} |
|---|---|---|---|---|---|
${rows.join('\n')}

${
  lists.length === 0
    ? 'No service has an RPC that it did not have before.'
    : `New in ${after}: a caller that asks ${before} for these is told that they are not there, until the service is upgraded, too.\n\n| Service | RPCs |\n|---|---|\n${lists.join('\n')}`
}
`;
}
