// Names of metrics: those that alert rules, the dashboard and scaling look at, and those that there are.
import fs from 'node:fs';
import path from 'node:path';
import { createMetrics, serveMetrics } from '../../packages/service-kit/dist/src/index.js';
import { recordedSeries } from './alerts/recorded-series.mjs';
import { root, SERVICES } from './service-facts.mjs';

/** Of others: kube-state-metrics, Prometheus itself, and what the exporter of RabbitMQ gives as it comes. */
const FOREIGN = new Set(['kube_job_failed', 'up', ...recordedSeries('rabbitmq').map(({ name }) => name)]);
const FUNCTIONS = /\b(by|on|unless|and|or|without|label_values)\b/;

/** Names in a PromQL expression: words that are followed by neither a bracket nor an equals sign, outside of braces. */
function namesIn(expression) {
  const bare = expression.replace(/\{[^}]*\}/g, ' ').replace(/\b(by|on|without) ?\([^)]*\)/g, ' ');
  return [...bare.matchAll(/[a-z_][a-z0-9_]+(?!\w|\s*\()/g)].map(([name]) => name).filter((n) => !FUNCTIONS.test(n));
}

/** Names of our own metrics: `name: 'tally_…'` in a service's code, and what the client library exports by itself. */
async function ownNames() {
  const sources = [
    path.join(root, 'packages/service-kit/src/metrics.ts'),
    ...SERVICES.map((service) => path.join(root, 'services', service, 'src/metrics.ts')).filter((file) =>
      fs.existsSync(file),
    ),
  ];
  const ours = sources.flatMap((file) =>
    [...fs.readFileSync(file, 'utf8').matchAll(/name: '(tally_\w+)'/g)].map(([, name]) => name),
  );
  const metrics = createMetrics('check');
  const served = await serveMetrics(metrics, '127.0.0.1:0'); // adds those of the process
  const common = (await metrics.registry.getMetricsAsJSON()).map(({ name }) => name);
  await served.stop();
  return new Set([...ours, ...common].flatMap((name) => [name, `${name}_bucket`, `${name}_count`, `${name}_sum`]));
}

/** Names used in expressions that nobody exports. */
export async function unknownMetrics(expressions) {
  const known = await ownNames();
  const used = new Set(expressions.flatMap(namesIn));
  return [...used].filter((name) => !known.has(name) && !FOREIGN.has(name));
}

/** Every expression of rendered objects: alert rules, dashboards, autoscalers. */
export function expressionsOf(objects) {
  return objects.flatMap(({ kind, spec, data }) => {
    if (kind === 'PrometheusRule') return spec.groups.flatMap(({ rules }) => rules.map(({ expr }) => expr));
    if (kind === 'ScaledObject') return spec.triggers.flatMap(({ metadata }) => metadata.query ?? []);
    if (kind === 'HorizontalPodAutoscaler') return spec.metrics.map(({ external }) => external.metric.name);
    const dashboard = data?.['tally.json'];
    if (dashboard === undefined) return [];
    const { panels, templating } = JSON.parse(dashboard);
    const queries = templating.list.map(({ query }) => /label_values\((\w+)/.exec(query)?.[1]).filter(Boolean);
    return [...queries, ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))];
  });
}
