import type { TaskOutput } from '@tally/merge';
import type { ConversionWarning } from './conversion-warning.js';
import type { OnUnsupported } from './omission.js';
import type { Project } from './project/project.js';

/** Input files of a simulator: name (one path component) → text. */
export type DeckFiles = Readonly<Record<string, string>>;

/** Who makes decks: a simulator by its name in the interface, or the built-in engine. */
export const DRIVER_NAMES = ['simA', 'simB', 'simC', 'simD', 'reference'] as const;
export type DriverName = (typeof DRIVER_NAMES)[number];

/** Ties what a simulator writes to what the project asked for: by names, never by position. */
export interface Manifest {
  /** Who made the deck, and can run it. */
  readonly driver: DriverName;
  readonly estimators: readonly {
    /** Unique within the project's results. */
    readonly name: string;
    /** Uuid of the project's output. */
    readonly outputUuid: string;
    readonly pages: readonly ManifestPage[];
  }[];
}

/** One page of an estimator. */
export interface ManifestPage {
  /** From 1, within its estimator. */
  readonly pageNumber: number;
  readonly name: string;
  /** Uuid of the project's quantity. */
  readonly quantityUuid: string;
  /** Scaled to a number of primaries: no longer per primary. */
  readonly isAbsolute: boolean;
  /** Factor that the simulator does not apply itself (rescale, absolute primaries); 1 where absent. */
  readonly scale?: number;
  /** Where the simulator writes the page; absent for the reference engine, which writes pages of our own form. */
  readonly source?: PageSource;
}

/** A page in the files of a simulator, found by names, and what its file does not say. */
export interface PageSource {
  /**
   * The file. simA: `Filename` of the output without `.bdo`; simB: number of the logical unit (`21`); simC and simD:
   * the file's whole name (`<mesh>_<quantity>.txt`, `<scorer>.csv`).
   */
  readonly file: string;
  /**
   * The page within the file. simA: its number in the file, from 0, in decimal; simB: name of the binning (SDUM);
   * simC: name of the primitive scorer or of the histogram; simD: name of the scorer.
   */
  readonly item: string;
  /** The project's keyword of the quantity: the page gets its unit, whatever unit the simulator writes. */
  readonly keyword: string;
  /**
   * Axes in the order of the page, first fastest: those of the detector (`x y z`, or `r phi z`), then differential ones
   * named by their `diffType`. Given for simC and simD, whose files hold no positions; may be absent for the others.
   */
  readonly axes?: readonly SourceAxis[];
  /**
   * Volume of the one bin that stands for everywhere, cm³, where the simulator divides by it: the page shows the number
   * times this volume, as that of a zone.
   */
  readonly binVolumeCm3?: number;
  /** Density of a zone whose dose is scored as energy, g/cm³: the page shows the number over it. */
  readonly densityGcm3?: number;
}

/** Bins of one axis as the deck asks for them. */
export interface SourceAxis {
  readonly name: string;
  readonly unit: string;
  readonly lower: number;
  readonly upper: number;
  readonly bins: number;
  readonly isLog: boolean;
}

/** A project turned into a simulator's input. */
export interface Conversion {
  readonly files: DeckFiles;
  readonly warnings: readonly ConversionWarning[];
  readonly manifest: Manifest;
}

/** Users' own input files taken as a job's deck. */
export interface AdoptedDeck {
  readonly files: DeckFiles;
  /** Histories that the files ask for. */
  readonly primaries: number;
  readonly warnings: readonly ConversionWarning[];
}

/** What one task runs: histories [firstHistory, firstHistory + primaries) of the job. */
export interface TaskShare {
  readonly primaries: number;
  readonly firstHistory: number;
  /** The job's seed, an unsigned 64-bit integer in decimal; the task's own stream follows from it and firstHistory. */
  readonly seed: string;
}

/** How this machine runs a simulator: configuration of whoever launches it. */
export interface CommandConfig {
  readonly executable: string;
  /** Put before the driver's own arguments. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A process to start in the task's folder, without a shell. */
export interface Command {
  readonly executable: string;
  readonly args: readonly string[];
  /** Added to the environment that the launcher gives every simulator. */
  readonly env: Readonly<Record<string, string>>;
}

/** Histories completed, of those the task was asked for; of a simulator with `listEvents` events of one run. */
export interface Progress {
  readonly done: number;
  /** Of which run, from 0; absent: the first. */
  readonly run?: number;
  /** Absent where the simulator does not say. */
  readonly total?: number;
}

/** The folder of a finished task, as far as a driver may look into it. */
export interface OutputFolder {
  /** Names of the files in it. */
  readonly names: readonly string[];
  /** The file's bytes; rejects when there is none of that name. */
  read(name: string): Promise<Uint8Array>;
}

/** One simulator: everything about it that is not a process, a disk or a network. Pure but for `outputs` reading files. */
export interface SimulatorDriver {
  /** Who computes, as results and logs show it, for example `reference 0.1.0`. */
  readonly engine: string;
  /**
   * A project as this simulator's deck.
   * @throws ConversionError `PROJECT_UNSUPPORTED`, naming everything that this simulator cannot do
   */
  convert(project: Project): Conversion;
  /**
   * Users' own input files as this simulator's deck. The simulators decide themselves what they score; of what the built-in
   * engine reads, `omit` leaves out what that cannot score.
   * @throws ConversionError `FILES_UNSUPPORTED`, `FILES_INVALID` naming the files
   */
  adoptFiles(files: DeckFiles, onUnsupported?: OnUnsupported): AdoptedDeck;
  /**
   * The deck of one task: the job's deck with this share of its histories, and nothing else changed.
   * @throws ConversionError `DECK_INVALID`
   */
  apportion(files: DeckFiles, share: TaskShare): DeckFiles;
  /**
   * The largest share of this deck that the simulator counts in one task: beyond it there must be more tasks.
   * @throws ConversionError `DECK_INVALID`
   */
  findTaskPrimariesMax(files: DeckFiles): number;
  /** `workdir`: absolute path of the folder that holds `files`, the task's deck; outputs are written there too. */
  command(config: CommandConfig, workdir: string, files: DeckFiles): Command;
  /** A file in the folder or below it that grows while the simulator runs, and whose lines tell progress too. */
  readonly progressFile?: RegExp;
  /** A file in the folder at whose appearance the simulator ends early, with the whole output of what it has simulated by then. */
  readonly finishFile?: string;
  /** Whether a printed line says that the program looks for `finishFile`; absent: every program of this simulator does. */
  announcesFinish?(line: string): boolean;
  /** What a line that the simulator printed says about its progress; `undefined` for most lines. */
  progress(line: string): Progress | undefined;
  /**
   * Events of each run of a task's deck, where there may be several runs, or several histories in an event. Absent: one run, an
   * event a history.
   * @throws ConversionError `DECK_INVALID`
   */
  listEvents?(files: DeckFiles): readonly number[];
  /** Histories that a line says are simulated, to be added up over all lines: the simulator's own count, at its end. */
  countHistories?(line: string): number | undefined;
  /** Whether this exit code says that the simulator refuses the deck, so that another attempt would end the same way. */
  isRefusal(exitCode: number): boolean;
  /**
   * What the task computed.
   * @param primaries - that the task was asked for: what an output stands for that does not say it
   * @throws OutputError when the folder does not hold the whole output of a task that ended well
   */
  outputs(folder: OutputFolder, primaries: number): Promise<TaskOutput>;
}
