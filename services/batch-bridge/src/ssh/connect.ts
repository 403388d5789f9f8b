import ssh2, { type Client, type ConnectConfig } from 'ssh2';
import type { ClusterSettings } from '../domain/cluster/cluster.js';
import { fail } from '../domain/errors.js';
import type { HostProbe } from '../domain/ports.js';
import { certificateKey, enableCertificates } from './certificate-login.js';
import type { Identity } from './credential.js';
import { parseHostKeys } from './host-keys.js';

export interface ConnectLimits {
  /** From the first packet to the finished login, milliseconds. */
  readonly connectTimeoutMs: number;
  /** Between two keepalive probes of a silent server, milliseconds; three unanswered ones end the connection. */
  readonly keepaliveMs: number;
}

const KEEPALIVE_COUNT_MAX = 3;

/**
 * Whether an error of ssh2 means that the server has no host key of a pinned type at all: those keys were replaced, too.
 * ssh2 1.17.0 has no code for it, only this text.
 */
const hasNoPinnedType = (err: Error): boolean => /no matching host key format/i.test(err.message);

function handshake(
  cluster: ClusterSettings,
  limits: ConnectLimits,
  config: ConnectConfig,
  until: 'ready' | 'handshake',
) {
  const hostKeys = parseHostKeys(cluster.hostKeys);
  const client: Client = new ssh2.Client();
  let isKeyForeign = false;
  const done = new Promise<Client>((resolve, reject) => {
    const refuse = (cause: Error & { level?: string }): void => {
      if (isKeyForeign || hasNoPinnedType(cause)) reject(fail('HOST_KEY_CHANGED', { cause }));
      else if (cause.level === 'client-authentication') reject(fail('LOGIN_REFUSED', { cause }));
      else reject(fail('CLUSTER_UNREACHABLE', { cause }));
    };
    client.on('error', refuse); // stays: an error without a listener would end the process
    client.once('close', () => refuse(new Error('the server closed the connection')));
    if (until === 'ready') client.once('ready', () => resolve(client));
    else client.once('handshake', () => resolve(client));
  });
  client.connect({
    host: cluster.host,
    port: cluster.port,
    readyTimeout: limits.connectTimeoutMs,
    keepaliveInterval: limits.keepaliveMs,
    keepaliveCountMax: KEEPALIVE_COUNT_MAX,
    algorithms: { serverHostKey: hostKeys.algorithms },
    hostVerifier: (key: Buffer) => {
      isKeyForeign = !hostKeys.includes(key);
      return !isKeyForeign;
    },
    ...config,
  });
  return { client, done };
}

/**
 * Logs in on a cluster whose host key is one of the pinned ones.
 * @throws ServiceError HOST_KEY_CHANGED, LOGIN_REFUSED, CLUSTER_UNREACHABLE
 */
export async function connect(cluster: ClusterSettings, identity: Identity, limits: ConnectLimits): Promise<Client> {
  const { username } = identity;
  const key = certificateKey(identity);
  // an already parsed key passes through ssh2 as it is; its types know only texts and bytes
  const authHandler = [{ type: 'publickey', username, key }] as unknown as ConnectConfig['authHandler'];
  const { client, done } = handshake(cluster, limits, { username, authHandler }, 'ready');
  enableCertificates(client);
  try {
    await done;
  } catch (err) {
    client.destroy();
    throw err;
  }
  client.setNoDelay(true); // a command waits for a delayed acknowledgement otherwise
  return client;
}

/**
 * Checks whether a cluster's SSH server answers with a pinned host key, and disconnects before any login. Once a minute is
 * far below what sshd counts as an attack (PerSourcePenalties, OpenSSH 9.8 and later).
 */
export function createHostProbe(limits: ConnectLimits): HostProbe {
  return {
    async probe(cluster) {
      const { client, done } = handshake(cluster, limits, { username: 'tally-probe' }, 'handshake');
      try {
        await done;
      } finally {
        client.destroy();
      }
    },
  };
}
