// Mistakes that the checks must catch, each made in a copy of a rendered object that has none.
function copyWith(objects, kind, name, spoil) {
  const copy = structuredClone(objects.find((object) => object.kind === kind && object.metadata.name === name));
  spoil(copy);
  return copy;
}

/** Spoilt objects by the name of their mistake. */
export function seededMistakes(objects) {
  const inJobs = (spoil) =>
    copyWith(objects, 'Deployment', 'tally-jobs', ({ spec }) => spoil(spec.template.spec.containers[0], spec));
  const inRunner = (spoil) =>
    copyWith(objects, 'Deployment', 'tally-direct-runner', ({ spec }) => {
      const pod = spec.template.spec;
      spoil(
        pod.containers.find(({ name }) => name === 'simulator-host'),
        pod,
      );
    });
  return {
    "a simulator host with the runner's secrets": inRunner((host) => {
      host.volumeMounts.push({ name: 'secrets', mountPath: '/secrets', readOnly: true });
    }),
    'a simulator host that could take the place of the runner': inRunner((host) => {
      delete host.volumeMounts.find(({ name }) => name === 'control').readOnly;
    }),
    "a simulator host of the runner's user": inRunner((host) => {
      delete host.securityContext.runAsUser;
    }),
    'a simulator host that sees the processes of the runner': inRunner((_host, pod) => {
      pod.shareProcessNamespace = true;
    }),
    'an unknown field': inJobs((container) => {
      container.prts = container.ports;
      delete container.ports;
    }),
    'a number as text': inJobs((_container, spec) => {
      spec.replicas = 'one';
    }),
    'a missing probe': inJobs((container) => {
      delete container.readinessProbe;
    }),
    'a privileged container': inJobs((container) => {
      container.securityContext.privileged = true;
    }),
    'an API version that is no longer served': copyWith(objects, 'PodDisruptionBudget', 'tally-jobs', (budget) => {
      budget.apiVersion = 'policy/v1beta1';
    }),
  };
}
