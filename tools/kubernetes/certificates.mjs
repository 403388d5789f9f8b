// What cert-manager does in a cluster: it gives the Secrets that Certificates of the chart ask for. Here an authority of the test issues.
import { createAuthority } from '../../packages/testkit/dist/src/index.js';
import { expectEqual } from '../test/steps.mjs';
import { listOf } from './control-plane.mjs';

/** Issues what the Certificates of services in a namespace ask for; the chart's own authority stays with cert-manager. */
export async function issueCertificates({ kubectl }, namespace) {
  const authority = createAuthority();
  const found = await kubectl(['--namespace', namespace, 'get', 'certificates.cert-manager.io', '--output', 'json']);
  const asked = JSON.parse(found).items.filter(({ spec }) => !spec.isCA);
  const secrets = asked.map(({ spec: { secretName, dnsNames } }) => {
    const { key, cert } = authority.issue(dnsNames[0]);
    return {
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'kubernetes.io/tls',
      metadata: { name: secretName, namespace },
      stringData: { 'tls.key': key, 'tls.crt': cert, 'ca.crt': authority.cert },
    };
  });
  await kubectl(['apply', '--filename', '-'], { input: listOf(secrets) });
}

/** Prints what jobs says to the gateway over TLS with its certificate, over TLS without one, and without TLS. */
const SPEAK = `
  const [fs, net, tls] = ['fs', 'net', 'tls'].map((name) => require('node:' + name));
  const read = (file) => fs.readFileSync('/run/tally-tls/' + file);
  const [host, port] = ['tally-jobs', 7000];
  const clear = () => net.connect({ host, port });
  const secured = (own) => () => tls.connect({ host, port, servername: 'jobs', ca: read('ca.crt'), ALPNProtocols: ['h2'], ...own });
  const answerTo = (connect) => new Promise((resolve) => {
    const socket = connect();
    const end = (answer) => { socket.destroy(); resolve(answer); };
    socket.on('connect', () => socket.write('PRI * HTTP/2.0\\r\\n\\r\\nSM\\r\\n\\r\\n\\0\\0\\0\\4\\0\\0\\0\\0\\0'));
    // an HTTP/2 server begins with a frame of SETTINGS, a TLS server that refuses may say so
    socket.on('data', (data) => end(data[3] === 4 ? 'answered' : 'refused')).on('error', () => end('refused')).on('close', () => end('refused'));
    setTimeout(end, 10_000, 'silent').unref();
  });
  const own = { cert: read('tls.crt'), key: read('tls.key') };
  Promise.all([secured(own), secured({}), clear].map(answerTo)).then((answers) => console.log(JSON.stringify(answers)));
`;

/** Who shows a certificate is answered, and nobody else. */
export async function proveMutualTls(release) {
  const inside = ['deployment/tally-gateway', '--', 'node', '-e', SPEAK];
  expectEqual(JSON.parse(await release.kubectl('exec', ...inside)), ['answered', 'refused', 'refused']);
}
