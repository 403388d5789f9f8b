import { ActionIcon, Group, Menu, TextInput, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { TextLink } from '../shell/links.js';
import { EDITOR_TEXTS } from '../texts/editor.js';
import classes from './editor.module.css';
import { useEditor, useEditorState, useProject, useValue } from './editor-context.js';
import { HistoryDialog } from './keep/history-dialog.js';
import { type Keeper, titleOf } from './keep/keeper.js';
import { SaveMark } from './keep/save-mark.js';
import { useCopy } from './keep/use-copy.js';

const T = EDITOR_TEXTS.page;

interface HeadProps {
  readonly keeper: Keeper;
  readonly className: string | undefined;
}

/** The title, whether it is saved, and the way back and forth. */
export function EditorHead({ keeper, className }: HeadProps) {
  const { store, isReadOnly } = useEditor();
  const title = useValue('/project/title');
  const proposed = titleOf(useProject());
  const canUndo = useEditorState((state) => state.canUndo);
  const canRedo = useEditorState((state) => state.canRedo);
  const [hasHistory, setHasHistory] = useState(false);
  return (
    <Group className={className} gap="sm" justify="space-between">
      <Group gap="xs" flex="1 1 260px" wrap="nowrap">
        <TextLink to="/projects" size="sm">
          {T.projects}
        </TextLink>
        <TextInput
          aria-label={T.title}
          placeholder={proposed}
          className={classes.titleInput}
          flex={1}
          maw={520}
          maxLength={256}
          readOnly={isReadOnly}
          value={typeof title === 'string' ? title : ''}
          onChange={(event) => store.setAtPointer('/project/title', event.currentTarget.value)}
        />
      </Group>
      <Group gap={4}>
        {!isReadOnly && <SaveMark keeper={keeper} />}
        <Step label={T.undo} path="M7 5 3 9l4 4M3 9h7a4 4 0 0 1 0 8H8" isOff={!canUndo} onClick={store.undo} />
        <Step label={T.redo} path="m11 5 4 4-4 4m4-4H8a4 4 0 0 0 0 8h2" isOff={!canRedo} onClick={store.redo} />
        <HeadMenu keeper={keeper} onHistory={() => setHasHistory(true)} />
      </Group>
      {hasHistory && <HistoryDialog projectId={keeper.identity()?.projectId} onClose={() => setHasHistory(false)} />}
    </Group>
  );
}

interface StepProps {
  readonly label: string;
  readonly path: string;
  readonly isOff: boolean;
  readonly onClick: () => void;
}

function Step({ label, path, isOff, onClick }: StepProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label} disabled={isOff} onClick={onClick}>
        <svg
          width="18"
          height="18"
          viewBox="0 0 18 18"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.6"
          aria-hidden="true"
        >
          <path d={path} strokeLinecap="round" strokeLinejoin="round" />
        </svg>
      </ActionIcon>
    </Tooltip>
  );
}

function HeadMenu({ keeper, onHistory }: { readonly keeper: Keeper; readonly onHistory: () => void }) {
  const { store } = useEditor();
  const download = () => {
    const { project } = store.getState();
    const url = URL.createObjectURL(new Blob([JSON.stringify(project, null, 2)], { type: 'application/json' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = `${titleOf(project).replace(/[^\w.-]+/g, '_')}.json`;
    link.click();
    URL.revokeObjectURL(url);
  };
  const copy = useCopy(keeper);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={T.more}>
          <svg width="16" height="16" viewBox="0 0 16 16" fill="currentColor" aria-hidden="true">
            <circle cx="3" cy="8" r="1.5" />
            <circle cx="8" cy="8" r="1.5" />
            <circle cx="13" cy="8" r="1.5" />
          </svg>
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={onHistory}>{T.history}</Menu.Item>
        <Menu.Item onClick={() => void copy()}>{T.copy}</Menu.Item>
        <Menu.Item onClick={download}>{T.download}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
