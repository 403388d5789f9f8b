// Places of an object where a secret may stand: nothing of the chart may hold one.
const URL_WITH_PASSWORD = /[a-z]+:\/\/[^/\s:@]+:[^/\s@]+@/;
const KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;
const LONG_RANDOM = /\b(?=[0-9a-f]*[a-f])(?=[0-9a-f]*[0-9])[0-9a-f]{48,}\b|[A-Za-z0-9+/]{43}=/;
/** Checksums are not secret. */
const HARMLESS = new Set(['checksum/config']);

function* strings(value, path) {
  if (typeof value === 'string') yield [path, value];
  else if (value !== null && typeof value === 'object') {
    for (const [key, child] of Object.entries(value)) if (!HARMLESS.has(key)) yield* strings(child, [...path, key]);
  }
}

/** Faults of an object. `secretVariables`: names of the variables that hold secrets. */
export function secretFaults(object, secretVariables) {
  if (object.kind === 'Secret') return ['is a Secret'];
  const faults = [];
  for (const [path, text] of strings(object, [])) {
    if ([URL_WITH_PASSWORD, KEY, LONG_RANDOM].some((pattern) => pattern.test(text))) faults.push(path.join('.'));
  }
  const data = object.kind === 'ConfigMap' ? Object.keys(object.data ?? {}) : [];
  faults.push(...data.filter((name) => secretVariables.has(name)));
  for (const container of object.spec?.template?.spec?.containers ?? []) {
    for (const { name, value } of container.env ?? []) {
      if (value !== undefined && /(PASSWORD|TOKEN|SECRET|KEY|_PASS)$/.test(name)) faults.push(`env ${name}`);
      if (value !== undefined && secretVariables.has(name)) faults.push(`env ${name}`);
    }
  }
  return faults;
}
