import type { TaskOutput } from '@tally/merge';
import type { Project } from './project/project.js';

/** Input files of a simulator: name (one path component) → text. */
export type DeckFiles = Readonly<Record<string, string>>;

/** Something that the project asks for and the deck leaves out without changing the answer. */
export interface ConversionWarning {
  /** Stable word for programs, UPPER_SNAKE. */
  readonly code: string;
  /** Sentence for people, naming the thing. */
  readonly message: string;
}

/** Ties what a simulator writes to what the project asked for: by names, never by position. */
export interface Manifest {
  /** Who made the deck, for example `reference`. */
  readonly driver: string;
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
}

/** A project turned into a simulator's input. */
export interface Conversion {
  readonly files: DeckFiles;
  readonly warnings: readonly ConversionWarning[];
  readonly manifest: Manifest;
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

/** Histories completed, of those the task was asked for. */
export interface Progress {
  readonly done: number;
  readonly total: number;
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
   * The deck of one task: the job's deck with this share of its histories, and nothing else changed.
   * @throws ConversionError `DECK_INVALID`
   */
  apportion(files: DeckFiles, share: TaskShare): DeckFiles;
  /** `workdir`: absolute path of the folder that holds the task's deck; outputs are written there too. */
  command(config: CommandConfig, workdir: string): Command;
  /** What a line that the simulator printed says about its progress; `undefined` for most lines. */
  progress(line: string): Progress | undefined;
  /**
   * What the task computed.
   * @throws OutputError when the folder does not hold the whole output of a task that ended well
   */
  outputs(folder: OutputFolder): Promise<TaskOutput>;
}
