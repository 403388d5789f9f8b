import type { FieldFault } from '@tally/service-kit';
import type { ClusterSettings, Partition } from '../cluster/cluster.js';
import { fail } from '../errors.js';

/** What a user may choose about the jobs, checked. */
export interface SchedulerOptions {
  readonly partition: string;
  readonly wallTimeSeconds: number;
  /** Memory of a task, MiB. */
  readonly memoryMib: number;
  /** Account (grant) to charge; absent: the user's default. */
  readonly account?: string;
  readonly qos?: string;
  readonly constraint?: string;
  readonly reservation?: string;
}

/** Names that sites choose: partitions, accounts, qualities of service. Never begins with a dash. */
const WORD = /^[A-Za-z0-9_][A-Za-z0-9_.@+-]{0,63}$/;
/** Features joined by & and |, a part of what sbatch(1) --constraint takes. */
const CONSTRAINT = /^[A-Za-z0-9_][A-Za-z0-9_.&|-]{0,127}$/;
/** sbatch(1) --time: minutes, minutes:seconds, hours:minutes:seconds, days-hours, days-hours:minutes[:seconds]. */
const TIME = /^(?:(\d{1,3})-(\d{1,2})(?::(\d{1,2}))?(?::(\d{1,2}))?|(\d{1,6})(?::(\d{1,2}))?(?::(\d{1,2}))?)$/;
/** sbatch(1) --mem: a whole number with a unit; M without one. */
const MEMORY = /^(\d{1,7})([KMGT]?)$/i;
const MIB_PER_UNIT: Readonly<Record<string, number>> = { K: 1 / 1024, M: 1, G: 1024, T: 1024 * 1024 };

/** Long names of sbatch(1), as users write them; a leading `--` is taken too. */
export const OPTION_NAMES = ['partition', 'time', 'mem', 'account', 'qos', 'constraint', 'reservation'] as const;
const KNOWN: ReadonlySet<string> = new Set(OPTION_NAMES);
const DEFAULT_WALL_TIME_SECONDS = 3600;
const DEFAULT_MEMORY_MIB = 2048;

/** Seconds of a --time text; undefined when it is none. */
export function readWallTime(text: string): number | undefined {
  const match = TIME.exec(text);
  if (match === null) return undefined;
  const number = (index: number): number => Number(match[index] ?? 0);
  if (match[1] !== undefined) return number(1) * 86_400 + number(2) * 3600 + number(3) * 60 + number(4);
  if (match[7] !== undefined) return number(5) * 3600 + number(6) * 60 + number(7);
  return number(5) * 60 + number(6);
}

/** What a task gets in a partition unless the options say otherwise. */
export function usualLimits({ wallTimeSecondsMax, memoryMibMax }: Partition) {
  return {
    wallTimeSeconds: Math.min(DEFAULT_WALL_TIME_SECONDS, wallTimeSecondsMax),
    memoryMib: Math.min(DEFAULT_MEMORY_MIB, memoryMibMax),
  };
}

function readMemory(text: string): number | undefined {
  const match = MEMORY.exec(text);
  if (match === null) return undefined;
  return Math.ceil(Number(match[1]) * (MIB_PER_UNIT[(match[2] || 'M').toUpperCase()] ?? Number.NaN));
}

/** Collects texts by option name. Values of foreign types, unknown and repeated names are faults. */
function readTexts(given: Readonly<Record<string, unknown>>, faults: FieldFault[]): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [key, value] of Object.entries(given)) {
    const name = key.replace(/^--/, '');
    const field = `/batch_options/scheduler_options/${key.slice(0, 64)}`;
    if (!KNOWN.has(name)) faults.push({ field, message: `is not one of ${[...KNOWN].join(', ')}` });
    else if (texts.has(name)) faults.push({ field, message: 'is given twice' });
    else if (typeof value !== 'string' && typeof value !== 'number') {
      faults.push({ field, message: 'must be a text or a number' });
    } else texts.set(name, String(value));
  }
  return texts;
}

/**
 * Reads the `scheduler_options` of a submission. Only listed options, each within its own grammar and the limits of the
 * partition, get through; what is not given gets a default within those limits.
 * @throws ServiceError OPTION_INVALID with all faults
 */
export function readSchedulerOptions(
  given: Readonly<Record<string, unknown>>,
  cluster: ClusterSettings,
): SchedulerOptions {
  const faults: FieldFault[] = [];
  const texts = readTexts(given, faults);
  const wrong = (name: string, message: string): undefined => {
    faults.push({ field: `/batch_options/scheduler_options/${name}`, message });
    return undefined;
  };
  const word = (name: string, grammar = WORD): string | undefined => {
    const text = texts.get(name);
    if (text === undefined || grammar.test(text)) return text;
    return wrong(name, 'has characters or a length that it cannot have');
  };
  const bounded = (
    name: string,
    read: (text: string) => number | undefined,
    usual: number,
    max: number,
    unit: string,
  ) => {
    const text = texts.get(name);
    if (text === undefined) return usual;
    const value = read(text);
    if (value === undefined || !(value > 0)) return wrong(name, `is not what sbatch takes for --${name}`);
    return value <= max ? value : wrong(name, `must not be over ${max} ${unit} in this partition`);
  };
  const partition = findPartition(cluster, word('partition'));
  if (partition === undefined) {
    wrong('partition', `must be one of ${cluster.partitions.map(({ name }) => name).join(', ')}`);
    throw fail('OPTION_INVALID', { fields: faults });
  }
  const usual = usualLimits(partition);
  const wallTimeSeconds = bounded('time', readWallTime, usual.wallTimeSeconds, partition.wallTimeSecondsMax, 'seconds');
  const memoryMib = bounded('mem', readMemory, usual.memoryMib, partition.memoryMibMax, 'MiB');
  const account = word('account');
  const qos = word('qos');
  const constraint = word('constraint', CONSTRAINT);
  const reservation = word('reservation');
  if (faults.length > 0 || wallTimeSeconds === undefined || memoryMib === undefined) {
    throw fail('OPTION_INVALID', { fields: faults });
  }
  return { partition: partition.name, wallTimeSeconds, memoryMib, account, qos, constraint, reservation };
}

function findPartition({ partitions }: ClusterSettings, name: string | undefined): Partition | undefined {
  return name === undefined ? partitions[0] : partitions.find((partition) => partition.name === name);
}
