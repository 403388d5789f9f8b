// values.schema.json of the chart: refuses what the templates do not know, settings that no service has, and wrong texts.
const text = { type: 'string' };
const name = { type: 'string', pattern: '^$|^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$' };
const host = { type: 'string', pattern: '^$|^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$', maxLength: 253 };
const bool = { type: 'boolean' };
const count = (minimum, maximum) => ({ type: 'integer', minimum, maximum });
const quantity = { type: 'string', pattern: '^[0-9]+(\\.[0-9]+)?([EPTGMk]i?|m)?$' };
/** As Go writes it. */
const duration = { type: 'string', pattern: '^([0-9]+h)?([0-9]+m)?([0-9]+s)?$', minLength: 2 };
const ports = { type: 'array', items: count(1, 65535), minItems: 1 };
const cidrs = { type: 'array', items: { type: 'string', pattern: '^[0-9a-fA-F.:]+/[0-9]{1,3}$' } };
const someCidrs = { ...cidrs, minItems: 1 };
const labels = { type: 'object', additionalProperties: text };
const list = (items) => ({ type: 'array', items });
const exact = (properties, required = []) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  ...(required.length > 0 ? { required } : {}),
});

const objects = list({ type: 'object' });
/** Variables that are no settings of a service. */
const extraEnv = list({
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', not: { pattern: '^(GATEWAY|AUTH|JOBS|RESULTS|BATCH|RUNNER|OTEL|GRPC_TLS)_' } },
  },
});
/** Of Kubernetes, but for the selector, which is the service's. */
const topologySpread = list(
  exact({
    maxSkew: count(1, 1000),
    minDomains: count(1, 1000),
    topologyKey: text,
    whenUnsatisfiable: { enum: ['DoNotSchedule', 'ScheduleAnyway'] },
    nodeAffinityPolicy: text,
    nodeTaintsPolicy: text,
  }),
);
/** A number of pods, or a part of them. */
const share = { anyOf: [count(0, 1000), { type: 'string', pattern: '^[0-9]{1,2}%$|^100%$' }] };
const serviceType = { enum: ['ClusterIP', 'NodePort', 'LoadBalancer'] };
const nonEmpty = { type: 'string', minLength: 1 };
const scaling = exact(
  { enabled: bool, replicasMin: count(1, 1000), replicasMax: count(1, 1000), cpuPercent: count(1, 1000) },
  ['enabled', 'replicasMin', 'replicasMax', 'cpuPercent'],
);
/** `pods`, and for one service the same keys. */
const podKeys = {
  extraEnv,
  extraVolumes: objects,
  extraVolumeMounts: objects,
  extraContainers: objects,
  podAnnotations: labels,
  deploymentAnnotations: labels,
  serviceAccountAnnotations: labels,
  podLabels: { ...labels, propertyNames: { not: { pattern: '^app\\.kubernetes\\.io/' } } },
  nodeSelector: labels,
  tolerations: objects,
  affinity: { type: 'object' },
  topologySpread,
  priorityClass: text,
  dnsPolicy: { enum: ['', 'ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None'] },
  dnsConfig: { type: 'object' },
};
const tag = { type: 'string', pattern: '^$|^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}(@sha256:[0-9a-f]{64})?$' };
const peers = list(exact({ namespaceLabels: labels, podLabels: labels }));

const grpcTls = exact({
  enabled: bool,
  issuerName: text,
  issuerKind: { enum: ['Issuer', 'ClusterIssuer'] },
  duration,
  renewBefore: duration,
});
const amounts = exact({ cpu: quantity, memory: quantity, 'ephemeral-storage': quantity });
const resources = exact({ requests: amounts, limits: amounts });

const simulatorHost = exact({
  enabled: bool,
  image: text,
  pullPolicy: { enum: ['Always', 'IfNotPresent', 'Never'] },
  resources,
  temporarySize: quantity,
  tasksSize: quantity,
  userId: count(0, 2 ** 31 - 1),
  extraVolumeMounts: list({ type: 'object' }),
});

const WHOLE_NUMBER = '^-?\\d+$';

/** A setting of a service as values.yaml may have it: its text, or the number or truth value that the text is of. */
function settingSchema({ description, ...schema }) {
  const forms = schema.anyOf ?? [schema];
  if (forms.some(({ pattern }) => pattern === WHOLE_NUMBER)) forms.push({ type: 'integer' });
  if (forms.some(({ enum: words }) => words?.includes('true'))) forms.push({ type: 'boolean' });
  return { description, ...(forms.length === 1 ? forms[0] : { anyOf: forms }) };
}

const byKey = (secrets) => Object.fromEntries(secrets.map((secret) => [secret.key, secret]));
const mapValues = (object, change) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
/** Services whose copies do the same work, so that more of them help when processors are busy. */
const SCALED = ['gateway', 'jobs', 'results'];

function serviceSchema(service, { settings, required, optionalSecrets, facts }) {
  return exact(
    {
      enabled: bool,
      replicas: count(0, 100_000),
      settings: exact(mapValues(settings, settingSchema), required),
      secretName: name,
      secrets: exact(mapValues(byKey(facts.secrets), () => exact({ name, key: nonEmpty }, ['name', 'key']))),
      optionalSecrets: list(optionalSecrets.length > 0 ? { enum: optionalSecrets } : { not: {} }),
      drainSeconds: count(1, 600),
      resources,
      image: exact({ tag }),
      strategy: exact({ maxSurge: share, maxUnavailable: share }),
      podDisruptionBudget: exact({ maxUnavailable: share }),
      ...(SCALED.includes(service) ? { scaling } : {}),
      ...(service === 'gateway' ? { serviceType, serviceAnnotations: labels } : {}),
      ...podKeys,
      ...(facts.workDir ? { workDirSize: quantity } : {}),
    },
    ['enabled', 'replicas', 'resources'],
  );
}

const ingress = exact({
  enabled: bool,
  className: name,
  annotations: labels,
  host,
  tlsSecretName: name,
  workersHost: host,
  workersTlsSecretName: name,
  workersWithoutTls: bool,
});
const httpRoute = exact({ enabled: bool, parentRefs: objects, annotations: labels, host, workersHost: host });
const network = exact({
  ipFamilyPolicy: { enum: ['', 'SingleStack', 'PreferDualStack', 'RequireDualStack'] },
  ipFamilies: list({ enum: ['IPv4', 'IPv6'] }),
});
const networkPolicy = exact({
  enabled: bool,
  ingressPods: peers,
  ingressCidrs: cidrs,
  monitoringNamespaceLabels: labels,
  frontendNamespaceLabels: labels,
  frontendPorts: ports,
  databaseCidrs: cidrs,
  databasePods: peers,
  brokerCidrs: cidrs,
  brokerPods: peers,
  dns: exact({ pods: peers, cidrs, ports }),
  databasePort: count(1, 65535),
  brokerPorts: ports,
  realmCidrs: someCidrs,
  realmPorts: ports,
  clusterCidrs: someCidrs,
  clusterPorts: ports,
  mailCidrs: { ...cidrs, minItems: 0 },
  mailPorts: ports,
  webhookCidrs: { ...cidrs, minItems: 0 },
  webhookPorts: ports,
  objectStoreCidrs: { ...cidrs, minItems: 0 },
  objectStorePorts: ports,
});

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
        tag,
        pullPolicy: { enum: ['Always', 'IfNotPresent', 'Never'] },
        pullSecrets: list(name),
      }),
      services: exact(Object.fromEntries(byService)),
      pods: exact({ userId: count(0, 2_147_483_647), ...podKeys }),
      caBundle: exact({ configMap: name, key: { type: 'string', minLength: 1 } }),
      simulatorHost,
      autoscaling: exact({
        enabled: bool,
        keda: bool,
        prometheusUrl: { type: 'string', pattern: '^$|^https?://' },
        replicasMin: count(0, 100_000),
        replicasMax: count(1, 100_000),
        tasksPerRunner: count(1, 1000),
        pollingSeconds: count(1, 3600),
        cooldownSeconds: count(0, 3600),
        metricName: { type: 'string', minLength: 1 },
      }),
      ingress,
      httpRoute,
      network,
      networkPolicy,
      podDisruptionBudget: exact({ enabled: bool }),
      migrate: exact({ enabled: bool, timeoutSeconds: count(1, 86_400) }),
      grpcTls,
      traces: exact({
        endpoint: { type: 'string', pattern: '^$|^https?://' },
        port: count(1, 65535),
        variables: { type: 'object', propertyNames: { pattern: '^OTEL_[A-Z_]+$' }, additionalProperties: text },
      }),
      monitoring: exact({
        serviceMonitor: bool,
        alertRules: bool,
        dashboard: bool,
        labels,
        taskWaitSeconds: count(60, 31_536_000),
      }),
      extraObjects: objects,
      trial: exact({ enabled: bool, storageSize: quantity, postgresqlImage: text, rabbitmqImage: text }),
    }),
  };
}
