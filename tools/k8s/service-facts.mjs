// What the chart has to know of each service, read from its configuration schema, its migrations and the table of callers.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

export const root = path.join(import.meta.dirname, '../..');
export const SERVICES = ['gateway', 'auth', 'jobs', 'results', 'batch-bridge', 'direct-runner'];

const load = (file) => import(pathToFileURL(path.join(root, file)).href);
const { z } = createRequire(path.join(root, 'packages/service-kit/package.json'))('zod');
const { envName } = await load('packages/service-kit/dist/src/index.js');
const { CALLERS } = await load('packages/testkit/dist/src/index.js');

/** Secrets that a service starts without, and that every deployment needs all the same. */
const NEEDED_IN_A_CLUSTER = new Set(['callers', 'updateKeyMaster']);
const isRequired = (property, key) => key.default === undefined || NEEDED_IN_A_CLUSTER.has(property);

const kebab = (property) => property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Properties that the chart sets itself: where to listen, the dependencies, the working folder. */
function isSetByChart(property, dependencies) {
  return ['listenAddress', 'metricsAddress', 'workDir', 'callers'].includes(property) || property in dependencies;
}

/** Properties that name a dependency, `jobsAddress` and so on, with its service. */
function dependenciesOf(schema) {
  const named = Object.keys(schema).map((property) => [property, kebab(property.replace(/Address$/, ''))]);
  return Object.fromEntries(
    named.filter(([property, name]) => property.endsWith('Address') && SERVICES.includes(name)),
  );
}

/** JSON schema of a setting's text. Go's regular expressions know no look-around: such a pattern is left out. */
function textSchema({ type, description }) {
  const { $schema: _, default: _default, ...schema } = z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' });
  const text = JSON.stringify(schema).replace(/,?"pattern":"(?:[^"\\]|\\.)*\(\?(?:[^"\\]|\\.)*"/g, '');
  return { description, ...JSON.parse(text) };
}

async function readService(service) {
  const config = await load(`services/${service}/dist/src/config.js`);
  const schema = Object.entries(config).find(([name]) => name.endsWith('ConfigSchema'))[1];
  const variable = (property) => envName(config.CONFIG_PREFIX, property);
  const dependencies = dependenciesOf(schema);
  const own = Object.entries(schema).filter(([property, key]) => !key.secret && !isSetByChart(property, dependencies));
  const secrets = Object.entries(schema).filter(([property, key]) => key.secret || property === 'callers');
  return {
    /** Goes into the chart. */
    facts: {
      prefix: config.CONFIG_PREFIX,
      settings: Object.fromEntries(
        own.filter(([, key]) => key.default !== undefined).map(([property, key]) => [variable(property), key.default]),
      ),
      dependencies: Object.fromEntries(
        Object.entries(dependencies).map(([property, dependency]) => [variable(property), dependency]),
      ),
      /** Those that it does without when they are switched off. */
      optionalDependencies: Object.keys(dependencies)
        .filter((property) => schema[property].default === '')
        .map(variable),
      secrets: secrets.map(([property, key]) => ({
        key: kebab(property),
        variable: variable(property),
        isRequired: isRequired(property, key),
      })),
      callers: [...(CALLERS[service] ?? [])],
      callees: SERVICES.filter((other) => CALLERS[other]?.includes(service)),
      hasDatabase: fs.existsSync(path.join(root, 'services', service, 'prisma/migrations')),
      hasQueue: 'queueUrl' in schema,
      ...('workDir' in schema ? { workDir: variable('workDir') } : {}),
    },
    /** Goes into the values schema: the settings that an operator may give. */
    settings: Object.fromEntries(own.map(([property, key]) => [variable(property), textSchema(key)])),
    required: own.filter(([, key]) => key.default === undefined).map(([property]) => variable(property)),
    optionalSecrets: secrets
      .filter(([property, key]) => !isRequired(property, key))
      .map(([property]) => kebab(property)),
    table: { prefix: config.CONFIG_PREFIX, schema },
  };
}

/** By service name, in the order of SERVICES. */
export async function readServices() {
  return Object.fromEntries(await Promise.all(SERVICES.map(async (service) => [service, await readService(service)])));
}
