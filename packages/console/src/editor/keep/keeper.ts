import { isSame, type JsonObject, textAt } from '../model/pointer.js';
import { proposeTitle } from '../model/propose-title.js';
import type { EditorStore } from '../model/store.js';

/** A project as the service has it. */
export interface KeptProject {
  readonly projectId: string;
  readonly revision: number;
  readonly project: JsonObject;
  /** Name of the owner, where the user may see it and not change it. */
  readonly readOnlyOf?: string | undefined;
}

/** Why a save failed: whether another attempt may help, or somebody else saved before. */
export interface SaveFault {
  readonly why: string;
  readonly kind: 'away' | 'refused' | 'changed';
}

/** The service, as far as keeping goes. Rejections are told apart by `faultOf`. */
export interface ProjectService {
  create(project: SentProject): Promise<{ readonly projectId: string; readonly revision: number }>;
  update(projectId: string, revision: number, project: SentProject): Promise<{ readonly revision: number }>;
  read(projectId: string): Promise<KeptProject>;
  faultOf(err: unknown): SaveFault;
}

export interface SentProject {
  readonly title: string;
  readonly project: JsonObject;
  readonly thumbnail: string | undefined;
}

/** What is kept in the browser until the service has it. */
export interface LocalCopy {
  readonly project: JsonObject;
  /** Texts of fields that are no values, by pointer. */
  readonly drafts: readonly (readonly [string, string])[];
  /** Of the service that it is based on; 0: it has none. */
  readonly revision: number;
}

export interface LocalCopies {
  read(key: string): Promise<LocalCopy | undefined>;
  write(key: string, copy: LocalCopy | undefined): Promise<void>;
}

/** How far what is on the page is kept. */
export type SaveState =
  | { readonly kind: 'new' | 'saved' | 'waiting' | 'saving' }
  | { readonly kind: 'failed' | 'refused'; readonly why: string }
  | { readonly kind: 'conflict'; readonly base: JsonObject; readonly theirs: KeptProject };

export interface Keeper {
  readonly getState: () => SaveState;
  readonly subscribe: (listener: () => void) => () => void;
  /** Saves at once what is not saved yet. @returns what the service has then @throws Error saying why it has not */
  readonly flush: () => Promise<{ readonly projectId: string; readonly revision: number }>;
  /** Ends a conflict: mine becomes the next revision; theirs comes onto the page; mine becomes another project. */
  readonly resolve: (choice: 'mine' | 'theirs' | 'both') => Promise<void>;
  readonly identity: () => { readonly projectId: string; readonly revision: number } | undefined;
  readonly dispose: () => void;
}

export interface KeeperOptions {
  readonly store: EditorStore;
  readonly service: ProjectService;
  readonly copies: LocalCopies;
  /** Undefined: it is to be made at the first change. */
  readonly kept: KeptProject | undefined;
  /** What stands for the project while nothing has been changed: the file, in the form that it had. */
  readonly original: JsonObject;
  readonly picture: () => string | undefined;
  readonly onCreated: (projectId: string) => void;
  /** What is on the page is not what is kept: save it as soon as may be. */
  readonly isDirty?: boolean;
}

/** Nothing is changed for so long before it is sent. */
const SETTLED_MS = 1_200;
const LOCAL_MS = 200;
const RETRY_MS = 1_000;
const RETRY_MS_MAX = 15_000;
/** The copy of a project that has no id yet. */
export const NEW_KEY = 'new';

/** The title of a project; of one without, what it is about. */
export const titleOf = (project: JsonObject): string =>
  textAt(project, '/project/title').replace(/\s+/g, ' ').trim().slice(0, 256) || proposeTitle(project);

/** Sends what is typed, one request at a time, and keeps it in the browser until the service has it. */
export function createKeeper(options: KeeperOptions): Keeper {
  return new ProjectKeeper(options);
}

class ProjectKeeper implements Keeper {
  readonly #options: KeeperOptions;
  readonly #opened: JsonObject;
  readonly #listeners = new Set<() => void>();
  readonly #unsubscribe: () => void;
  #kept: KeptProject | undefined;
  /** What the service has got last. */
  #sent: JsonObject | undefined;
  #state: SaveState;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #localTimer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<void> | undefined;
  #retries = 0;
  #isOver = false;

  constructor(options: KeeperOptions) {
    const { kept, isDirty, store } = options;
    this.#options = options;
    this.#opened = store.getState().project;
    this.#kept = kept;
    this.#sent = isDirty === true || kept === undefined ? undefined : this.#opened;
    this.#state = { kind: kept === undefined ? 'new' : 'saved' };
    this.#unsubscribe = store.subscribe(() => this.#follow());
    if (isDirty === true) this.#plan(LOCAL_MS);
  }

  readonly getState = (): SaveState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  identity(): { readonly projectId: string; readonly revision: number } | undefined {
    return this.#kept && { projectId: this.#kept.projectId, revision: this.#kept.revision };
  }

  async flush(): Promise<{ readonly projectId: string; readonly revision: number }> {
    await this.#running;
    if (this.#state.kind === 'conflict') throw new Error('it was changed elsewhere, too');
    if (this.#isUnsent() || this.#kept === undefined) await this.#start();
    const identity = this.identity();
    if (identity !== undefined && !this.#isUnsent()) return identity;
    throw new Error('why' in this.#state ? this.#state.why : 'it is not saved');
  }

  async resolve(choice: 'mine' | 'theirs' | 'both'): Promise<void> {
    if (this.#state.kind !== 'conflict') return;
    const { theirs } = this.#state;
    this.#kept = choice === 'both' ? undefined : theirs;
    this.#sent = undefined;
    if (choice !== 'theirs') return this.#start();
    this.#sent = theirs.project;
    this.#options.store.edit(() => theirs.project);
    this.#set({ kind: 'saved' });
    this.#keepLocally();
  }

  dispose(): void {
    this.#unsubscribe();
    clearTimeout(this.#timer);
    clearTimeout(this.#localTimer);
    // what is not sent yet is sent or kept without the page
    if (this.#isUnsent() && this.#state.kind !== 'conflict') void this.#start().finally(() => this.#keepLocally());
    this.#isOver = true;
  }

  #set(state: SaveState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }

  #isUnsent(): boolean {
    const { project } = this.#options.store.getState();
    const isUntouched = project === this.#opened && this.#options.isDirty !== true;
    if (this.#kept === undefined && isUntouched) return false;
    return this.#sent === undefined || !isSame(project, this.#sent);
  }

  /** What the service gets: unchanged, the file as it was. */
  #written(project: JsonObject): JsonObject {
    return project === this.#opened ? this.#options.original : project;
  }

  #keepLocally(): void {
    this.#localTimer = undefined;
    const { project, drafts } = this.#options.store.getState();
    const isNeeded = this.#isUnsent() || drafts.size > 0;
    const revision = this.#kept?.revision ?? 0;
    const copy: LocalCopy = { project: this.#written(project), drafts: [...drafts], revision };
    // a browser that keeps nothing is no reason to stop
    this.#options.copies.write(this.#kept?.projectId ?? NEW_KEY, isNeeded ? copy : undefined).catch(() => undefined);
  }

  #follow(): void {
    this.#localTimer ??= setTimeout(() => this.#keepLocally(), LOCAL_MS);
    if (!this.#isUnsent() || this.#running !== undefined) return;
    if (this.#state.kind === 'conflict' || this.#state.kind === 'failed') return;
    this.#set({ kind: 'waiting' });
    this.#plan(SETTLED_MS);
  }

  #plan(ms: number): void {
    if (this.#isOver) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#start(), ms);
  }

  #start(): Promise<void> {
    clearTimeout(this.#timer);
    this.#running ??= this.#save().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #save(): Promise<void> {
    const { store, service, copies, picture, onCreated } = this.#options;
    const { project } = store.getState();
    const body: SentProject = { title: titleOf(project), project: this.#written(project), thumbnail: picture() };
    this.#set({ kind: 'saving' });
    try {
      if (this.#kept === undefined) {
        const created = await service.create(body);
        this.#kept = { ...created, project };
        await copies.write(NEW_KEY, undefined).catch(() => undefined);
        if (!this.#isOver) onCreated(created.projectId);
      } else {
        const { revision } = await service.update(this.#kept.projectId, this.#kept.revision, body);
        this.#kept = { ...this.#kept, revision, project };
      }
      this.#sent = project;
      this.#retries = 0;
      const isUnsent = this.#isUnsent();
      this.#set({ kind: isUnsent ? 'waiting' : 'saved' });
      this.#keepLocally();
      if (isUnsent) this.#plan(SETTLED_MS);
    } catch (err) {
      await this.#fail(service.faultOf(err));
    }
  }

  async #fail({ kind, why }: SaveFault): Promise<void> {
    const { service } = this.#options;
    this.#keepLocally();
    if (kind === 'refused') {
      this.#set({ kind, why });
      return;
    }
    if (kind === 'changed' && this.#kept !== undefined) {
      try {
        const theirs = await service.read(this.#kept.projectId);
        this.#set({ kind: 'conflict', base: this.#kept.project, theirs });
        return;
      } catch (err) {
        this.#set({ kind: 'failed', why: service.faultOf(err).why });
      }
    } else this.#set({ kind: 'failed', why });
    this.#plan(Math.min(RETRY_MS * 2 ** this.#retries, RETRY_MS_MAX));
    this.#retries += 1;
  }
}
