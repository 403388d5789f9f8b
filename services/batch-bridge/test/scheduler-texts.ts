/*
 * What Slurm's commands say, from slurm_errno.c and from what users of other services have reported: the corpus of the answers
 * that tests give in the place of a scheduler.
 */

const submission = (text: string): string => `sbatch: error: Batch job submission failed: ${text}\n`;

/** Of the request: no repeat would be taken. */
export const REFUSING_TEXTS: readonly string[] = [
  `sbatch: error: invalid partition specified: none\n${submission('Invalid partition name specified')}`,
  submission('No partition specified or system default partition'),
  submission('Invalid account or account/partition combination specified'),
  submission('Invalid qos specification'),
  submission('Invalid wckey specification'),
  submission('Invalid feature specification'),
  submission('Invalid generic resource (gres) specification'),
  submission('Invalid job array specification'),
  submission('Requested reservation is invalid'),
  submission('Requested time limit is invalid (missing or exceeds some limit)'),
  submission('Requested node configuration is not available'),
  submission('Requested nodes not in this partition'),
  submission('More processors requested than permitted'),
  submission('Node count specification invalid'),
  submission('Memory required by task is not available'),
  `sbatch: error: Memory specification can not be satisfied\n${submission('Requested node configuration is not available')}`,
  `sbatch: error: CPU count per node can not be satisfied\n`,
  `sbatch: error: QOSMaxWallDurationPerJobLimit\n${submission("Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)")}`,
  `sbatch: error: AssocMaxCpuPerJobLimit\n${submission("Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)")}`,
  'sbatch: error: Batch script is empty!\n',
  'sbatch: error: This does not look like a batch script.  The first\nsbatch: error: line must start with #! followed by the path to an interpreter.\n',
  'sbatch: error: Batch script contains DOS line breaks (\\r\\n)\n',
];

/** Who asks, which a controller may not know at the moment. */
export const DENYING_TEXTS: readonly string[] = [
  submission('Access/permission denied'),
  submission("User's group not permitted to use this partition"),
  submission('Access denied to requested reservation'),
];

/** As much as there may be at the moment. */
export const LIMITING_TEXTS: readonly string[] = [
  `sbatch: error: AssocMaxSubmitJobLimit\n${submission("Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)")}`,
  `sbatch: error: QOSMaxSubmitJobPerUserLimit\n${submission("Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)")}`,
  `sbatch: error: AssocGrpSubmitJobsLimit\n${submission("Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)")}`,
  'sbatch: error: Slurm temporarily unable to accept job, sleeping and retrying\n',
];

/** Anything else: of the moment, of another part, or of nothing. */
export const PASSING_TEXTS: readonly string[] = [
  submission('Slurm backup controller in standby mode'),
  submission('Unable to contact slurm controller (connect failure)'),
  submission('Unexpected message received'),
  submission('Zero Bytes were transmitted or received'),
  submission('Resource temporarily unavailable'),
  submission('Socket timed out on send/recv operation'),
  submission('I/O error writing script/environment to file'),
  submission('Unable to create job record, try again'),
  submission('Requested partition configuration not available now'),
  submission('Required partition not available (inactive or drain)'),
  submission('Required node not available (down, drained or reserved)'),
  submission('Requested operation is presently disabled'),
  submission('Invalid authentication credential'),
  submission('Protocol authentication error'),
  submission('Invalid user id'),
  submission('Unspecified error'),
  submission('Header lengths are longer than data received'),
  submission('Invalid job credential'),
  'sbatch: error: If munged is up, restart with --num-threads=10\nsbatch: error: Munge encode failed: Failed to access "/run/munge/munge.socket.2": No such file or directory\n',
  'sbatch: error: resolve_ctls_from_dns_srv: res_nsearch error: Unknown host\nsbatch: fatal: Could not establish a configuration source\n',
  'sbatch: fatal: Unable to process configuration file\n',
  'slurmstepd: error: slurm_persist_conn_open: Something happened with the receiving/processing of the persistent connection init message\n',
  'sbatch: error: Unable to open file /etc/slurm/slurm.conf: Stale file handle\n',
  'sh: 1: exec: sbatch: Permission denied\n',
  'bash: fork: retry: Resource temporarily unavailable\n',
  'sbatch: Verteilung fehlgeschlagen: Der Rechner ist besch\u00e4ftigt\n',
  'Segmentation fault (core dumped)\n',
  "head: invalid option -- 'z'\n", // of a site's own sbatch
  '{"error": "upstream connect error or disconnect/reset before headers"}\n',
];

/** Texts as they may arrive: cut off, twice, in other letters and encodings, behind others. @param share - of [0, 1): where */
export const GARBLINGS: readonly ((text: string, share: number) => string)[] = [
  (text) => text,
  (text, share) => text.slice(0, Math.floor(share * text.length)),
  (text) => text + text,
  (text) => text.toUpperCase(),
  (text) => `\u001b[31m${text}\u001b[0m`,
  (text) => Buffer.from(text, 'utf16le').toString('latin1'),
  (text) => Buffer.from(text, 'utf8').toString('latin1'),
  (text) => text.replaceAll('\n', '\r\n'),
  (text, share) => `${'x'.repeat(Math.floor(share * 2_000))}\n${text}`,
];
