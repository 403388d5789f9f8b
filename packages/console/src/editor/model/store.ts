import { type JsonObject, valueAt, withValueAt } from './pointer.js';

/** Most steps that can be taken back. */
const UNDO_MAX = 300;
/** Changes of one value that follow each other this fast are one step. */
const MERGE_MS = 1_500;

/** A project while somebody changes it. */
export interface EditorState {
  readonly project: JsonObject;
  /** Texts of fields that are no values yet, by the pointer of the value. */
  readonly drafts: ReadonlyMap<string, string>;
  /** Pointer of the part that is looked at: of a figure, detector, the beam … */
  readonly selected: string | undefined;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

/** What changes the project; the functions of {@link createStore} are used by forms, the view and the templates' sliders. */
export interface EditorStore {
  readonly getState: () => EditorState;
  readonly subscribe: (listener: () => void) => () => void;
  /** Puts a value at a pointer; `undefined` takes it away. Values that follow fast at one pointer are one step of undo. */
  readonly setAtPointer: (pointer: string, value: unknown) => void;
  /** Changes the project as a whole. `key`: changes of the same key that follow fast are one step of undo. */
  readonly edit: (change: (project: JsonObject) => JsonObject, key?: string) => void;
  /** Keeps a text that is no value, or forgets it. */
  readonly setDraft: (pointer: string, text: string | undefined) => void;
  /** Forgets texts below a pointer: what they were typed for is gone, or has moved. */
  readonly dropDrafts: (prefix: string) => void;
  readonly select: (pointer: string | undefined) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  /** Another project in its place, or the same with what was typed; undo does not lead back. */
  readonly load: (project: JsonObject, drafts?: ReadonlyMap<string, string>) => void;
}

const nothing = (): void => undefined;

/** The same of a project that the user may only look at: nothing changes it. */
export const frozen = (store: EditorStore): EditorStore => ({
  ...store,
  setAtPointer: nothing,
  edit: nothing,
  setDraft: nothing,
  dropDrafts: nothing,
  undo: nothing,
  redo: nothing,
});

/** @param now - milliseconds of a clock that never goes back */
export function createStore(initial: JsonObject, now: () => number = () => performance.now()): EditorStore {
  let state: EditorState = {
    project: initial,
    drafts: new Map(),
    selected: undefined,
    canUndo: false,
    canRedo: false,
  };
  let undos: JsonObject[] = [];
  let redos: JsonObject[] = [];
  let last = { key: '', at: Number.NEGATIVE_INFINITY };
  const listeners = new Set<() => void>();
  const set = (change: Partial<EditorState>): void => {
    state = { ...state, ...change, canUndo: undos.length > 0, canRedo: redos.length > 0 };
    for (const listener of listeners) listener();
  };
  const edit: EditorStore['edit'] = (change, key = '') => {
    const project = change(state.project);
    if (project === state.project) return;
    const isSameStep = key !== '' && key === last.key && now() - last.at < MERGE_MS;
    if (!isSameStep) undos = [...undos.slice(1 - UNDO_MAX), state.project];
    redos = [];
    last = { key, at: now() };
    set({ project });
  };
  /** Between undo and redo the texts that are no values belong to what is no longer there. */
  const travel = (from: JsonObject[], to: JsonObject[]): void => {
    const project = from.pop();
    if (project === undefined) return;
    to.push(state.project);
    last = { key: '', at: Number.NEGATIVE_INFINITY };
    const { selected } = state;
    const isThere = selected !== undefined && valueAt(project, selected) !== undefined;
    set({ project, drafts: new Map(), selected: isThere ? selected : undefined });
  };
  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    setAtPointer(pointer, value) {
      edit(
        (project) => (Object.is(valueAt(project, pointer), value) ? project : withValueAt(project, pointer, value)),
        pointer,
      );
    },
    edit,
    setDraft(pointer, text) {
      if (state.drafts.get(pointer) === text) return;
      const drafts = new Map(state.drafts);
      if (text === undefined) drafts.delete(pointer);
      else drafts.set(pointer, text);
      set({ drafts });
    },
    dropDrafts(prefix) {
      const kept = [...state.drafts].filter(([pointer]) => !pointer.startsWith(`${prefix}/`) && pointer !== prefix);
      if (kept.length < state.drafts.size) set({ drafts: new Map(kept) });
    },
    select(pointer) {
      if (pointer !== state.selected) set({ selected: pointer });
    },
    undo: () => travel(undos, redos),
    redo: () => travel(redos, undos),
    load(project, drafts = new Map()) {
      undos = [];
      redos = [];
      last = { key: '', at: Number.NEGATIVE_INFINITY };
      set({ project, drafts, selected: undefined });
    },
  };
}
