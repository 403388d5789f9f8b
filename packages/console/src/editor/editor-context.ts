import { createContext, useContext, useEffect, useSyncExternalStore } from 'react';
import type { TableMaterial } from './model/materials.js';
import { valueAt } from './model/pointer.js';
import type { Problem, ProblemBoard } from './model/problems.js';
import type { EditorState, EditorStore } from './model/store.js';

/** What the parts of the editor share. */
export interface Editor {
  readonly store: EditorStore;
  readonly board: ProblemBoard;
  /** Every material that can be chosen. */
  readonly materials: readonly TableMaterial[];
  /** The project can be looked at and not changed. */
  readonly isReadOnly: boolean;
}

export const EditorContext = createContext<Editor | undefined>(undefined);

export function useEditor(): Editor {
  const editor = useContext(EditorContext);
  if (editor === undefined) throw new Error('only inside the editor');
  return editor;
}

/** A part of the state; the component is drawn again when it changes. */
export function useEditorState<T>(select: (state: EditorState) => T): T {
  const { store } = useEditor();
  return useSyncExternalStore(store.subscribe, () => select(store.getState()));
}

export const useProject = () => useEditorState(({ project }) => project);

/** The value at a pointer of the project. */
export const useValue = (pointer: string): unknown => useEditorState(({ project }) => valueAt(project, pointer));

/** Problems that are said here: this is the nearest place on the page. */
export function useProblemsAt(pointer: string): readonly Problem[] {
  const { board } = useEditor();
  useEffect(() => board.offer(pointer), [board, pointer]);
  return useSyncExternalStore(board.subscribe, () => board.at(pointer));
}

export function useAllProblems(): readonly Problem[] {
  const { board } = useEditor();
  return useSyncExternalStore(board.subscribe, board.all);
}
