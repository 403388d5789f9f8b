// Who reaches whom, from rendered objects alone: the pods of deployments, stateful sets and jobs, and the network policies
// that select them (Kubernetes: a pod that no policy of a direction selects is open in that direction; else any rule that
// matches opens it).

/** Pods by component: `{component, labels, ports: {name: number}}`. */
export function podsOf(objects) {
  return objects
    .filter(({ kind }) => ['Deployment', 'StatefulSet', 'Job'].includes(kind))
    .map(({ spec: { template } }) => ({
      component: template.metadata.labels['app.kubernetes.io/component'],
      labels: template.metadata.labels,
      ports: Object.fromEntries(
        template.spec.containers.flatMap(({ ports = [] }) => ports.map((port) => [port.name, port.containerPort])),
      ),
    }));
}

const selects = ({ matchLabels = {} } = {}, labels) =>
  Object.entries(matchLabels).every(([key, value]) => labels[key] === value);

/** Whether a peer of a rule is a pod of this namespace: one by labels of another namespace, or by address, is not. */
const isPod = (peer, pod) =>
  peer.podSelector !== undefined && peer.namespaceSelector === undefined && selects(peer.podSelector, pod.labels);

function isOpen(policies, { direction, pod, peer, port, target }) {
  const field = direction === 'Ingress' ? 'ingress' : 'egress';
  const end = direction === 'Ingress' ? 'from' : 'to';
  const applying = policies.filter(
    ({ spec }) => spec.policyTypes.includes(direction) && selects(spec.podSelector, pod.labels),
  );
  if (applying.length === 0) return true;
  const rules = applying.flatMap(({ spec }) => spec[field] ?? []);
  return rules.some(
    (rule) =>
      (rule[end] === undefined || rule[end].some((candidate) => isPod(candidate, peer))) &&
      (rule.ports === undefined || rule.ports.some((open) => (target.ports[open.port] ?? open.port) === port)),
  );
}

/** Ports on which a component's pods reach addresses outside of the cluster, `<network>:<port>`, sorted; empty: none. */
export function exitsOf(objects, component) {
  const [{ labels }] = podsOf(objects).filter((pod) => pod.component === component);
  return objects
    .filter(({ kind, spec }) => kind === 'NetworkPolicy' && selects(spec.podSelector, labels))
    .flatMap(({ spec }) => spec.egress ?? [])
    .flatMap(({ to = [{ ipBlock: { cidr: 'any' } }], ports = [{ port: 'any' }] }) =>
      to.flatMap(({ ipBlock }) => (ipBlock === undefined ? [] : ports.map(({ port }) => `${ipBlock.cidr}:${port}`))),
    )
    .sort();
}

/** Components whose pods reach the port of a component, sorted. */
export function callersOf(objects, component, portName) {
  const policies = objects.filter(({ kind }) => kind === 'NetworkPolicy');
  const pods = podsOf(objects);
  const target = pods.find((pod) => pod.component === component);
  const port = target.ports[portName];
  const reaches = (pod) =>
    isOpen(policies, { direction: 'Ingress', pod: target, peer: pod, port, target }) &&
    isOpen(policies, { direction: 'Egress', pod, peer: target, port, target });
  return pods
    .filter((pod) => pod !== target && reaches(pod))
    .map((pod) => pod.component)
    .sort();
}
