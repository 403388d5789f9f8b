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
  return {
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
