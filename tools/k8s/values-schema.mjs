// values.schema.json of the chart: refuses what the templates do not know, settings that no service has, and wrong texts.
const text = { type: 'string' };
const name = { type: 'string', pattern: '^$|^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$' };
const host = { type: 'string', pattern: '^$|^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$', maxLength: 253 };
const bool = { type: 'boolean' };
const count = (minimum, maximum) => ({ type: 'integer', minimum, maximum });
const quantity = { type: 'string', pattern: '^[0-9]+(\\.[0-9]+)?([EPTGMk]i?|m)?$' };
const ports = { type: 'array', items: count(1, 65535), minItems: 1 };
const cidrs = { type: 'array', items: { type: 'string', pattern: '^[0-9a-fA-F.:]+/[0-9]{1,3}$' }, minItems: 1 };
const labels = { type: 'object', additionalProperties: text };
const list = (items) => ({ type: 'array', items });
const exact = (properties, required = []) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  ...(required.length > 0 ? { required } : {}),
});

const amounts = exact({ cpu: quantity, memory: quantity, 'ephemeral-storage': quantity });
const resources = exact({ requests: amounts, limits: amounts });

function serviceSchema(service, { settings, required, optionalSecrets, facts }) {
  return exact(
    {
      enabled: bool,
      replicas: count(0, 1000),
      settings: exact(settings, required),
      secretName: name,
      optionalSecrets: list(optionalSecrets.length > 0 ? { enum: optionalSecrets } : { not: {} }),
      drainSeconds: count(1, 600),
      resources,
      nodeSelector: labels,
      tolerations: list({ type: 'object' }),
      extraVolumes: list({ type: 'object' }),
      extraVolumeMounts: list({ type: 'object' }),
      ...(facts.workDir ? { workDirSize: quantity } : {}),
    },
    ['enabled', 'replicas', 'resources'],
  );
}

/** The schema as an object; `services` as readServices gives them. */
export function valuesSchema(services) {
  const byService = Object.entries(services).map(([service, entry]) => [service, serviceSchema(service, entry)]);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Values of the Tally chart (generated: pnpm k8s:gen)',
    ...exact({
      global: { type: 'object' },
      image: exact({
        repository: { type: 'string', minLength: 1 },
        tag: text,
        pullPolicy: { enum: ['Always', 'IfNotPresent', 'Never'] },
        pullSecrets: list(name),
      }),
      services: exact(Object.fromEntries(byService)),
      autoscaling: exact({
        enabled: bool,
        keda: bool,
        replicasMin: count(0, 1000),
        replicasMax: count(1, 1000),
        tasksPerRunner: count(1, 1000),
        pollingSeconds: count(1, 3600),
        cooldownSeconds: count(0, 3600),
        metricName: { type: 'string', minLength: 1 },
      }),
      ingress: exact({
        enabled: bool,
        className: name,
        annotations: labels,
        host,
        tlsSecretName: name,
        workersHost: host,
        workersTlsSecretName: name,
      }),
      networkPolicy: exact({
        enabled: bool,
        ingressNamespaceLabels: labels,
        monitoringNamespaceLabels: labels,
        frontendNamespaceLabels: labels,
        frontendPorts: ports,
        databaseCidrs: cidrs,
        databasePort: count(1, 65535),
        brokerPorts: ports,
        realmCidrs: cidrs,
        realmPorts: ports,
        clusterCidrs: cidrs,
        clusterPorts: ports,
      }),
      podDisruptionBudget: exact({ enabled: bool }),
      migrate: exact({ enabled: bool, timeoutSeconds: count(1, 86_400) }),
      monitoring: exact({ serviceMonitor: bool, alertRules: bool, dashboard: bool, labels }),
      trial: exact({ enabled: bool, storageSize: quantity, postgresqlImage: text, rabbitmqImage: text }),
    }),
  };
}
