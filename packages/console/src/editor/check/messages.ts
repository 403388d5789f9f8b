import type { ProjectCheck, SpotRow } from '@tally/simulators/check-project';
import type { TableMaterial } from '../model/materials.js';

/** Who would run a project: the version of a simulator's own executable, or `undefined` for the built-in engine. */
export interface Runner {
  readonly simType: 'simA' | 'simB' | 'simC' | 'simD';
  readonly version: string | undefined;
}

/** A plane across an axis, and the part of it that is asked for, cm. */
export interface SectionPlane {
  /** 0 x, 1 y, 2 z */
  readonly axis: 0 | 1 | 2;
  readonly at: number;
  /** Ends along the two other axes, in their order. */
  readonly lower: readonly [number, number];
  readonly upper: readonly [number, number];
  /** Points along the longer side. */
  readonly points: number;
}

/** Which zone each point of a plane is in. */
export interface Section {
  readonly plane: SectionPlane;
  readonly columns: number;
  readonly rows: number;
  /** Index into `materials` of each point, the first of the two axes fastest; 255: outside the world. */
  readonly points: Uint8Array;
  readonly materials: readonly { readonly name: string; readonly icru: number }[];
}

/** What the worker is asked for, and what it answers. */
export interface Tasks {
  check: {
    readonly asked: { readonly project: unknown; readonly runners: readonly Runner[] };
    readonly answer: ProjectCheck;
  };
  open: { readonly asked: { readonly project: unknown }; readonly answer: unknown };
  materials: { readonly asked: object; readonly answer: readonly TableMaterial[] };
  section: {
    readonly asked: { readonly project: unknown; readonly plane: SectionPlane };
    readonly answer: Section | undefined;
  };
  spots: {
    readonly asked: { readonly text: string; readonly particle: unknown };
    readonly answer: {
      readonly spots: readonly SpotRow[];
      readonly count: number;
      readonly faults: readonly { readonly line: number | undefined; readonly message: string }[];
    };
  };
}

export type TaskName = keyof Tasks;

/** A question on its way to the worker. */
export type Request = {
  [K in TaskName]: { readonly id: number; readonly task: K; readonly asked: Tasks[K]['asked'] };
}[TaskName];

/** Its answer, or why there is none. */
export type Reply = { readonly id: number; readonly answer: unknown } | { readonly id: number; readonly fault: string };
