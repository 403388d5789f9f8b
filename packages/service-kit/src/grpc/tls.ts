import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { nextTick } from 'node:process';
import { checkServerIdentity, createSecureContext, type PeerCertificate } from 'node:tls';
import { type ChannelCredentials, credentials, experimental, ServerCredentials } from '@grpc/grpc-js';
import { ConfigError, type ConfigSchema, loadConfig, setting } from '../config.js';
import type { Logger } from '../logger.js';

/*
 * Mutual TLS between services, beside the tokens of callers. A certificate names its service as a DNS name (`jobs`), wherever the
 * service runs: a client wants the name of the service that it calls, a server that of the caller which the call says it comes from.
 */

/** Settings of mutual TLS, the same for every service. */
export const grpcTlsKeys = {
  certificateFile: {
    type: setting.text,
    default: '',
    description: 'Certificate of this service with what leads to the authority, PEM; empty: no TLS between services',
  },
  keyFile: { type: setting.text, default: '', description: 'Its private key, PEM' },
  authorityFile: {
    type: setting.text,
    default: '',
    description:
      'Certificates of the authority that services of this deployment have theirs from, and nobody else, PEM',
  },
  refreshMs: {
    type: setting.integer(20, 86_400_000),
    default: '30000',
    description: 'How often the three files are looked at, milliseconds: what is new in them holds for new connections',
  },
  healthAddress: {
    type: setting.text,
    default: '',
    description:
      'host:port where health checks are answered without TLS, for a kubelet, which has no certificate; empty: nowhere',
  },
} as const satisfies ConfigSchema;

export const GRPC_TLS_PREFIX = 'GRPC_TLS';

/** Credentials of one service. */
export interface GrpcTls {
  readonly serverCredentials: ServerCredentials;
  readonly healthAddress: string;
  /** Of calls to a service, by its name. */
  channelCredentials(peer: string): ChannelCredentials;
}

interface Files {
  readonly certificateFile: string;
  readonly keyFile: string;
  readonly authorityFile: string;
}
interface Loaded {
  readonly certificate: Buffer;
  readonly privateKey: Buffer;
  readonly caCertificate: Buffer;
}
type Provider = Parameters<typeof experimental.createCertificateProviderChannelCredentials>[0];
type AuthorityListener = Parameters<Provider['addCaCertificateListener']>[0];
type IdentityListener = Parameters<Provider['addIdentityCertificateListener']>[0];

/** The three files as they were last whole. Those that cannot be read, or do not fit together, change nothing. */
class CertificateFiles implements Provider {
  readonly #authorityListeners = new Set<AuthorityListener>();
  readonly #identityListeners = new Set<IdentityListener>();
  #fault = '';

  private constructor(
    private readonly files: Files,
    private readonly logger: Logger,
    private loaded: Loaded,
  ) {}

  /** @throws Error that says what is wrong with the files */
  static async open(files: Files, refreshMs: number, logger: Logger): Promise<CertificateFiles> {
    const opened = new CertificateFiles(files, logger, await load(files));
    opened.#tell('certificate of this service');
    setInterval(() => void opened.#refresh(), refreshMs).unref();
    return opened;
  }

  async #refresh(): Promise<void> {
    try {
      const found = await load(this.files);
      this.#fault = '';
      if (isSame(found, this.loaded)) return;
      this.loaded = found;
      for (const listener of this.#authorityListeners) listener(found);
      for (const listener of this.#identityListeners) listener(found);
      this.#tell('new certificate of this service');
    } catch (err) {
      const reason = (err as Error).message;
      if (reason !== this.#fault) this.logger.error({ reason }, 'certificates are not taken, the former ones hold');
      this.#fault = reason;
    }
  }

  #tell(message: string): void {
    this.logger.info({ valid_until: new X509Certificate(this.loaded.certificate).validTo }, message);
  }

  addCaCertificateListener(listener: AuthorityListener): void {
    this.#authorityListeners.add(listener);
    nextTick(() => listener(this.loaded)); // who adds itself is not ready to hear it yet
  }
  removeCaCertificateListener(listener: AuthorityListener): void {
    this.#authorityListeners.delete(listener);
  }
  addIdentityCertificateListener(listener: IdentityListener): void {
    this.#identityListeners.add(listener);
    nextTick(() => listener(this.loaded));
  }
  removeIdentityCertificateListener(listener: IdentityListener): void {
    this.#identityListeners.delete(listener);
  }
}

async function load({ certificateFile, keyFile, authorityFile }: Files): Promise<Loaded> {
  const [certificate, privateKey, caCertificate] = await Promise.all(
    [certificateFile, keyFile, authorityFile].map((file) => readFile(file)),
  );
  if (certificate === undefined || privateKey === undefined || caCertificate === undefined) throw new Error('no files');
  if (!new X509Certificate(certificate).checkPrivateKey(createPrivateKey(privateKey))) {
    throw new Error(`${keyFile} is not the key of ${certificateFile}`);
  }
  createSecureContext({ cert: certificate, key: privateKey, ca: caCertificate });
  return { certificate, privateKey, caCertificate };
}

const isSame = (a: Loaded, b: Loaded): boolean =>
  a.certificate.equals(b.certificate) && a.privateKey.equals(b.privateKey) && a.caCertificate.equals(b.caCertificate);

/** Reads what an environment says. Undefined: no TLS. @throws ConfigError, also for files that are not what they should be */
export async function loadGrpcTls(logger: Logger, env: NodeJS.ProcessEnv): Promise<GrpcTls | undefined> {
  const { refreshMs, healthAddress, ...files } = loadConfig(GRPC_TLS_PREFIX, grpcTlsKeys, env);
  const missing = Object.values(files).filter((file) => file === '').length;
  if (missing === 3) return undefined;
  if (missing > 0) throw new ConfigError(['GRPC_TLS_CERTIFICATE_FILE, _KEY_FILE and _AUTHORITY_FILE go together']);
  const provider = await CertificateFiles.open(files, refreshMs, logger).catch((err: Error) => {
    throw new ConfigError([`GRPC_TLS: ${err.message}`]);
  });
  return {
    serverCredentials: experimental.createCertificateProviderServerCredentials(provider, provider, true),
    healthAddress,
    channelCredentials: (peer) =>
      experimental.createCertificateProviderChannelCredentials(provider, provider, {
        checkServerIdentity: (_host, certificate) => checkServerIdentity(peer, certificate),
      }),
  };
}

let ofThisProcess: GrpcTls | undefined;

/** From now on servers and clients of this process use it. */
export function useGrpcTls(tls: GrpcTls | undefined): void {
  ofThisProcess = tls;
}

/** Undefined: there is none. */
export function currentGrpcTls(): GrpcTls | undefined {
  return ofThisProcess;
}

export const serverCredentialsOf = (tls: GrpcTls | undefined): ServerCredentials =>
  tls?.serverCredentials ?? ServerCredentials.createInsecure();

export const channelCredentialsOf = (tls: GrpcTls | undefined, peer: string): ChannelCredentials =>
  tls?.channelCredentials(peer) ?? credentials.createInsecure();

/** Name of the service that has a method: of its proto package. */
export function serviceOf(methodPath: string): string {
  return (methodPath.split('/')[1]?.split('.')[0] ?? '').replaceAll('_', '-');
}

/** Whether a peer's certificate is of this service. */
export function isCertificateOf(service: string, certificate: PeerCertificate | undefined): boolean {
  return certificate !== undefined && service !== '' && checkServerIdentity(service, certificate) === undefined;
}
