import { randomBytes, randomInt } from 'node:crypto';
import { chmodSync, existsSync } from 'node:fs';
import path from 'node:path';
import { onProcessEnd } from '../process/exit-hook.js';
import { createRunDirectory, removeRunDirectory } from '../process/run-directory.js';
import { clusterFolder, purgeCluster, runClusterScript } from './cluster-scripts.js';
import { installPackages, mayInstallPackages } from './debian-packages.js';

/** A private key and its certificate, as files. */
export interface CertificateFiles {
  readonly privateKey: string;
  readonly certificate: string;
}

/** Where a cluster is and who may log in; printed by cluster/up.sh. Paths are absolute. */
export interface ClusterFacts {
  readonly dir: string;
  readonly ssh: {
    readonly host: string;
    readonly port: number;
    /** Public keys, each `<type> <base64>`. */
    readonly hostKeys: readonly string[];
    readonly log: string;
  };
  readonly users: {
    /** Logs in with an authorized key. */
    readonly plain: { readonly name: string; readonly home: string; readonly privateKey: string };
    /** Logs in with a certificate only. */
    readonly cert: { readonly name: string; readonly home: string };
  };
  /** Valid for both users for a year. */
  readonly certificates: Readonly<Record<'ed25519' | 'rsa' | 'ecdsa', CertificateFiles>>;
  /** Must be refused. */
  readonly badCertificates: Readonly<Record<'expired' | 'wrongPrincipal' | 'untrustedCa', CertificateFiles>>;
  readonly slurm: {
    readonly version: string;
    readonly conf: string;
    readonly nodes: readonly string[];
    readonly cpusPerNode: number;
    readonly partitions: readonly string[];
    readonly accounting: boolean;
    readonly log: string;
  };
}

/** A running cluster of a test's own. */
export interface Cluster {
  readonly facts: ClusterFacts;
  /** Breaks or mends a part; resolves to what cluster/fault.sh printed. @throws Error if it does not know the pair */
  fault(
    action: 'crash' | 'hang' | 'start' | 'stop' | 'down' | 'drain' | 'resume' | 'state',
    target: string,
  ): Promise<string>;
  /** Ends what was started and removes the folder and the users. Safe to repeat. */
  stop(): Promise<void>;
}

export interface ClusterOptions {
  /** Nodes sim1, sim2 …; 2 unless given. */
  readonly nodes?: number;
  /** CPUs that a node claims to have; 4 unless given. */
  readonly cpusPerNode?: number;
  /** Whether sacct works; true unless given. */
  readonly hasAccounting?: boolean;
  /** Whether it leaves the processors to others, as another machine would; false unless given. */
  readonly yieldsProcessors?: boolean;
}

const PACKAGES = [
  'slurmctld',
  'slurmd',
  'slurm-client',
  'slurmdbd',
  'slurm-wlm-mysql-plugin',
  'mariadb-server-core',
  'munge',
  'openssh-server',
  'openssh-client',
];
const PROGRAMS = ['munged', 'slurmctld', 'slurmd', 'slurmdbd', 'mariadbd', 'sshd'];
/** up.sh takes 32 ports, below Linux's range for outgoing connections (32768 and up). */
const PORT_FIRST = 20_000;
const PORT_RANGES = 390;

const hasPrograms = (): boolean => PROGRAMS.every((program) => existsSync(`/usr/sbin/${program}`));

/**
 * Makes sure that a cluster can be started: Slurm, MariaDB and OpenSSH are there, or Debian's packages are installed now.
 * Resolves to whether they are there. To be called before tests, which should not wait for packages.
 */
export async function provideCluster(log?: (line: string) => void): Promise<boolean> {
  if (hasPrograms()) return true;
  if (!mayInstallPackages()) return false;
  log?.('cluster: installing Slurm, MariaDB and OpenSSH with apt-get');
  await installPackages(PACKAGES);
  return hasPrograms();
}

/**
 * Brings up a real Slurm cluster and sshd of the caller's own; 5 s. It ends with this process at the latest.
 * @throws Error where it cannot be: not root, or packages are missing and may not be installed
 */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  if (process.getuid?.() !== 0)
    throw new Error('a Slurm cluster can only be started by root: its daemons switch users');
  if (!(await provideCluster()))
    throw new Error(`no Slurm: install ${PACKAGES.join(' ')}, or let us do it (TALLY_INSTALL=1, on Debian)`);
  const dir = createRunDirectory('slurm');
  chmodSync(dir, 0o711); // the cluster's users have their homes in it
  const purge = (): void => {
    purgeCluster(dir);
    removeRunDirectory(dir);
  };
  const takeBackHook = onProcessEnd(purge);
  const stop = async (): Promise<void> => {
    if (existsSync(path.join(clusterFolder(dir), '.cluster'))) await runClusterScript('down.sh', dir, ['--purge']);
    takeBackHook();
    removeRunDirectory(dir);
  };
  const suffix = randomBytes(3).toString('hex');
  try {
    const stdout = await runClusterScript('up.sh', dir, [], {
      CLUSTER_USER: `tally-p-${suffix}`,
      CLUSTER_CERT_USER: `tally-c-${suffix}`,
      CLUSTER_NODES: String(options.nodes ?? 2),
      CLUSTER_CPUS: String(options.cpusPerNode ?? 4),
      CLUSTER_PORT: String(PORT_FIRST + 32 * randomInt(PORT_RANGES)),
      CLUSTER_ACCOUNTING: options.hasAccounting === false ? '0' : '1',
      CLUSTER_YIELDS: options.yieldsProcessors ? '1' : '0',
    });
    const facts = JSON.parse(stdout) as ClusterFacts;
    return { facts, stop, fault: (action, target) => runClusterScript('fault.sh', dir, [action, target]) };
  } catch (err) {
    await stop();
    throw err;
  }
}
