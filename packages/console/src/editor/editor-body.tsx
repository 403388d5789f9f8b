import { Alert, Group, Text } from '@mantine/core';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { queryClient } from '../api/queries.js';
import { TemplateParameters } from '../templates/template-parameters.js';
import { EDITOR_TEXTS } from '../texts/editor.js';
import { useChecks } from './check/use-checks.js';
import classes from './editor.module.css';
import { type Editor, EditorContext, useEditor, useEditorState, useProject } from './editor-context.js';
import { EditorHead } from './editor-head.js';
import { PlaceProblems } from './forms/fields.js';
import { type SectionName, Sections, sectionOf } from './forms/sections.js';
import { ConflictDialog } from './keep/conflict-dialog.js';
import { createKeeper, type LocalCopies } from './keep/keeper.js';
import type { Opened } from './keep/open.js';
import { projectService } from './keep/service.js';
import { createBoard } from './model/problems.js';
import { createStore, frozen } from './model/store.js';
import { ReadOnlyNotice } from './read-only-notice.js';
import { RunBar } from './run/run-bar.js';
import { ProjectView } from './view/project-view.js';

const T = EDITOR_TEXTS.page;

interface BodyProps {
  readonly opened: Opened;
  readonly copies: LocalCopies;
  readonly materials: Editor['materials'];
  readonly onCreated: (projectId: string) => void;
}

/** Forms beside a view, the way to a job below them; everything about one project while it is open. */
export function EditorBody({ opened, copies, materials, onCreated }: BodyProps) {
  const picture = useRef<(() => string | undefined) | undefined>(undefined);
  const created = useRef(onCreated);
  created.current = onCreated;
  const [editor] = useState((): Editor => {
    const store = createStore(opened.project);
    store.load(opened.project, opened.drafts);
    const isReadOnly = opened.kept?.readOnlyOf !== undefined;
    return { store: isReadOnly ? frozen(store) : store, board: createBoard(), materials, isReadOnly };
  });
  const [keeper, setKeeper] = useState<ReturnType<typeof createKeeper> | undefined>();
  useEffect(() => {
    const made = createKeeper({
      store: editor.store,
      service: projectService,
      copies,
      kept: opened.kept,
      original: opened.original,
      isDirty: opened.isDirty,
      picture: () => picture.current?.(),
      onCreated: (projectId) => created.current(projectId),
    });
    setKeeper(made);
    return () => {
      made.dispose();
      void queryClient.invalidateQueries({ queryKey: ['projects'] });
    };
  }, [editor, copies, opened]);
  useUndoKeys(editor.store);
  if (keeper === undefined) return undefined;
  return (
    <EditorContext.Provider value={{ ...editor, materials }}>
      <Parts opened={opened} keeper={keeper} pictureRef={picture} />
      <ConflictDialog keeper={keeper} />
    </EditorContext.Provider>
  );
}

interface PartsProps {
  readonly opened: Opened;
  readonly keeper: ReturnType<typeof createKeeper>;
  readonly pictureRef: React.RefObject<(() => string | undefined) | undefined>;
}

function Parts({ opened, keeper, pictureRef }: PartsProps) {
  const { store, board, isReadOnly } = useEditor();
  const project = useProject();
  const selected = useEditorState((state) => state.selected);
  const [section, setSection] = useState<SectionName>('beam');
  const [options, setOptions] = useState(opened.options);
  const checked = useChecks(project, board, options.simulator);
  useSyncExternalStore(keeper.subscribe, keeper.getState);
  const isOld = opened.original !== opened.project;
  const goTo = (pointer: string) => {
    const part = /^(\/(?:figureManager|zoneManager|detectorManager|scoringManager)\/\w+\/\d+)/.exec(pointer)?.[1];
    setSection(sectionOf(pointer));
    if (part !== undefined) store.select(part);
    showSoon(`[data-pointer="${CSS.escape(pointer)}"], [data-part="${CSS.escape(part ?? '')}"]`);
  };
  // what is picked in the view is shown by its form
  useEffect(() => {
    if (selected === undefined) return;
    setSection(sectionOf(selected));
    showSoon(`[data-part="${CSS.escape(selected)}"]`);
  }, [selected]);
  return (
    <div className={classes.page}>
      <EditorHead keeper={keeper} className={classes.head} />
      <section className={classes.forms} aria-label={T.sections}>
        {opened.jobTitle !== undefined && opened.jobTitle !== '' && (
          <Text size="xs" c="dimmed" mb="xs">
            {T.fromJob(opened.jobTitle)}
          </Text>
        )}
        <ReadOnlyNotice keeper={keeper} owner={opened.kept?.readOnlyOf} />
        {isOld && !isReadOnly && (
          <Alert color="blue" variant="light" mb="sm">
            {T.old}
          </Alert>
        )}
        {opened.template !== undefined && (
          <div style={{ marginBottom: 16 }}>
            <TemplateParameters
              template={opened.template}
              project={project}
              onProject={(changed) => store.edit(() => changed, 'template')}
            />
          </div>
        )}
        <Sections section={section} onSection={setSection} />
      </section>
      <ProjectView pictureRef={pictureRef} />
      {!isReadOnly && (
        <section className={classes.run} aria-label={EDITOR_TEXTS.run.title}>
          <Group>
            <PlaceProblems pointer="/project" />
          </Group>
          <RunBar checked={checked} keeper={keeper} onGoTo={goTo} options={options} onOptions={setOptions} />
        </section>
      )}
    </div>
  );
}

/** Shows an element once it is on the page, and puts the cursor into it where it is a field. */
function showSoon(selector: string): void {
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const element = document.querySelector<HTMLElement>(selector);
      element?.scrollIntoView({ block: 'nearest' });
      if (element instanceof HTMLInputElement) element.focus();
    }),
  );
}

/** Ctrl+Z and Ctrl+Shift+Z of the whole project: a field of its own has no history. */
function useUndoKeys(store: Editor['store']): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
      const key = event.key.toLowerCase();
      if (key !== 'z' && key !== 'y') return;
      event.preventDefault();
      if (key === 'y' || event.shiftKey) store.redo();
      else store.undo();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [store]);
}
