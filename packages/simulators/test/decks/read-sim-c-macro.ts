/** A macro of simC: commands in order, what each says about the source, and where and what is scored. */
export interface SimCMacro {
  readonly commands: readonly string[];
  /** Arguments of a command, which stands at most once, without a trailing unit of its own. */
  argumentsOf(command: string): string[] | undefined;
  /** By mesh, probe or volume, then by scorer. */
  readonly blocks: ReadonlyMap<string, SimCBlock>;
  /** By number. */
  readonly histograms: readonly SimCHistogram[];
  /** Mesh, scorer and file of everything that is written after the run. */
  readonly dumps: readonly (readonly [block: string, scorer: string, file: string])[];
}

export interface SimCBlock {
  readonly kind: string;
  /** Arguments of the commands that describe it, by command. */
  readonly settings: ReadonlyMap<string, readonly string[]>;
  readonly scorers: ReadonlyMap<string, { readonly kind: string; readonly options: string; filter?: string }>;
}

export interface SimCHistogram {
  readonly name: string;
  readonly bins: number;
  readonly lower: number;
  readonly upper: number;
  readonly unit: string;
  readonly scheme: string;
  /** Block and scorer that fill it. */
  filledBy?: readonly [block: string, scorer: string];
}

/** Commands that may come before a run only, or after it only. */
const AFTER_RUN = ['/score/dumpQuantityToFile'];

/** Reads the macro as the simulator would run it, and throws at scorers outside a mesh, unclosed meshes and wrong order. */
export function readSimCMacro(text: string): SimCMacro {
  const commands = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  for (const line of commands) if (!/^\/[\w/]+( \S+)*$/.test(line)) throw new Error(`not a command: ${line}`);
  const run = commands.findIndex((line) => line.startsWith('/run/beamOn '));
  const blocks = new Map<
    string,
    SimCBlock & {
      scorers: Map<string, { kind: string; options: string; filter?: string }>;
      settings: Map<string, string[]>;
    }
  >();
  const histograms: SimCHistogram[] = [];
  const dumps: (readonly [string, string, string])[] = [];
  let open: string | undefined;
  let lastScorer = '';
  for (const [index, line] of commands.entries()) {
    const [command = '', first = '', second = '', ...rest] = line.split(' ');
    const isLate = AFTER_RUN.includes(command);
    if (index > run !== isLate && index !== run) throw new Error(`too early or too late: ${line}`);
    const block = open === undefined ? undefined : blocks.get(open);
    if (command.startsWith('/score/create/')) {
      if (open !== undefined || blocks.has(first)) throw new Error(`cannot open ${first}`);
      open = first;
      const settings = new Map([['size', second === '' ? [] : [second, ...rest]]]);
      blocks.set(first, { kind: command.slice('/score/create/'.length), settings, scorers: new Map() });
    } else if (command === '/score/close') open = undefined;
    else if (command.startsWith('/score/mesh/') || command.startsWith('/score/probe/')) {
      if (block === undefined) throw new Error(`nothing is open: ${line}`);
      block.settings.set(command, [first, second, ...rest]);
    } else if (command.startsWith('/score/quantity/')) {
      if (block === undefined || block.scorers.has(first)) throw new Error(`cannot score: ${line}`);
      lastScorer = first;
      const options = [second, ...rest].join(' ');
      block.scorers.set(first, { kind: command.slice('/score/quantity/'.length), options });
    } else if (command.startsWith('/score/filter/')) {
      const scorer = block?.scorers.get(lastScorer);
      if (scorer === undefined || scorer.filter !== undefined) throw new Error(`nothing to filter: ${line}`);
      scorer.filter = [command.slice('/score/filter/'.length), second, ...rest].join(' ').trim();
    } else if (command === '/analysis/h1/create') {
      const [bins, lower, upper, unit = '', , scheme = ''] = rest;
      histograms.push({ name: first, bins: Number(bins), lower: Number(lower), upper: Number(upper), unit, scheme });
    } else if (command === '/score/fill1D') {
      const histogram = histograms[Number(first)];
      const [scorer = ''] = rest;
      if (histogram === undefined || blocks.get(second)?.scorers.has(scorer) !== true) throw new Error(line);
      histogram.filledBy = [second, scorer];
    } else if (isLate) {
      const [file = ''] = rest;
      if (blocks.get(first)?.scorers.has(second) !== true) throw new Error(`nothing to write: ${line}`);
      dumps.push([first, second, file]);
    }
  }
  if (open !== undefined) throw new Error(`${open} is not closed`);
  const argumentsOf = (command: string): string[] | undefined => {
    const [found, ...others] = commands.filter((line) => line.split(' ')[0] === command);
    if (others.length > 0) throw new Error(`${command} twice`);
    return found?.split(' ').slice(1);
  };
  return { commands, argumentsOf, blocks, histograms, dumps };
}
