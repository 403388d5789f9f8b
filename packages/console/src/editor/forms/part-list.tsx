import { ActionIcon, Badge, Box, Button, Group, Menu, Modal, Stack, Text, UnstyledButton } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { EDITOR_TEXTS } from '../../texts/editor.js';
import classes from '../editor.module.css';
import { useAllProblems, useEditor, useEditorState, useProblemsAt, useValue } from '../editor-context.js';
import { copyPart, moveItem } from '../model/parts.js';
import { itemsAt, textAt } from '../model/pointer.js';
import { type Removal, removePart } from '../model/remove.js';
import { TextField, words } from './fields.js';

const T = EDITOR_TEXTS.parts;

interface PartListProps {
  /** Pointer of the list. */
  readonly list: string;
  /** A line about a part. */
  readonly summary: (part: unknown) => string;
  readonly color?: (part: unknown) => string | undefined;
  /** The form of a part; its name stands above it. */
  readonly children: (pointer: string) => ReactNode;
  readonly empty: string;
  /** Whether a part can go up and down in the list: where the order means something. */
  readonly isOrdered?: boolean;
}

/** The parts of a list; the one that is selected shows its form. */
export function PartList({ list, summary, color, children, empty, isOrdered = false }: PartListProps) {
  const value = useValue(list);
  const items = itemsAt({ list: value }, '/list').map((item) => ({ ...item, pointer: `${list}/${item.index}` }));
  if (items.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {empty}
      </Text>
    );
  return (
    <Stack gap={6}>
      {items.map(({ pointer, index, value: part }) => (
        <Part
          key={textAt(part, '/uuid') || pointer}
          pointer={pointer}
          name={textAt(part, '/name')}
          summary={summary(part)}
          color={color?.(part)}
          canRise={isOrdered && index > 0}
          canSink={isOrdered && index < items.length - 1}
        >
          {children(pointer)}
        </Part>
      ))}
    </Stack>
  );
}

interface PartProps {
  readonly pointer: string;
  readonly name: string;
  readonly summary: string;
  readonly color: string | undefined;
  readonly canRise: boolean;
  readonly canSink: boolean;
  readonly children: ReactNode;
}

function Part({ pointer, name, summary, color, canRise, canSink, children }: PartProps) {
  const { store, isReadOnly } = useEditor();
  const isSelected = useEditorState(({ selected }) => selected === pointer);
  const isOpen = isSelected || isReadOnly; // no button works there
  return (
    <Box className={classes.part} data-open={isOpen} data-part={pointer}>
      <Group wrap="nowrap" gap={4}>
        <UnstyledButton
          className={classes.partHead}
          aria-expanded={isOpen}
          onClick={() => store.select(isOpen ? undefined : pointer)}
        >
          {color !== undefined && <span className={classes.swatch} style={{ background: color }} />}
          <Text size="sm" fw={600} truncate>
            {name === '' ? T.unnamed : name}
          </Text>
          <Text size="xs" c="dimmed" truncate flex={1}>
            {summary}
          </Text>
          <ProblemCount under={pointer} />
        </UnstyledButton>
        <PartMenu pointer={pointer} name={name} canRise={canRise} canSink={canSink} />
      </Group>
      <Said pointer={pointer} />
      {isOpen && (
        <Stack gap="sm" p="xs" pt={4}>
          <TextField pointer={`${pointer}/name`} label={T.name} />
          {children}
        </Stack>
      )}
    </Box>
  );
}

/** What is wrong with a part that none of its fields says. */
function Said({ pointer }: { readonly pointer: string }) {
  const problems = useProblemsAt(pointer);
  if (problems.length === 0) return undefined;
  return (
    <Text size="xs" c="var(--mantine-color-error)" px="xs" pb={4}>
      {words(problems)}
    </Text>
  );
}

/** How many problems are at a place and below it. */
export function ProblemCount({ under }: { readonly under: string | readonly string[] }) {
  const places = typeof under === 'string' ? [under] : under;
  const problems = useAllProblems().filter(({ pointer }) =>
    places.some((place) => pointer === place || pointer.startsWith(`${place}/`)),
  );
  if (problems.length === 0) return undefined;
  return (
    <Badge size="sm" circle={problems.length < 10} color="red" role="img" aria-label={T.problems(problems.length)}>
      {problems.length}
    </Badge>
  );
}

type MenuProps = Pick<PartProps, 'pointer' | 'name' | 'canRise' | 'canSink'>;

function PartMenu({ pointer, name, canRise, canSink }: MenuProps) {
  const { store } = useEditor();
  const [removal, setRemoval] = useState<Removal | undefined>();
  const [, list = '', place = '0'] = /^(.*)\/(\d+)$/.exec(pointer) ?? [];
  const remove = (found: Removal) => {
    store.dropDrafts(list);
    store.edit(() => found.project);
    store.select(undefined);
    setRemoval(undefined);
  };
  const ask = () => {
    const found = removePart(store.getState().project, pointer);
    if (found.consequences.length === 0 && found.usedBy.length === 0) remove(found);
    else setRemoval(found);
  };
  const copy = () => {
    const copied = copyPart(store.getState().project, pointer);
    store.dropDrafts(list);
    store.edit(() => copied.project);
    store.select(copied.pointer);
  };
  const move = (by: number) => {
    const items = store.getState().project;
    store.dropDrafts(list);
    store.edit(() => moveItem(items, list, Number(place), Number(place) + by));
    store.select(`${list}/${Number(place) + by}`);
  };
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={T.menu(name)}>
            <svg width="16" height="16" viewBox="0 0 16 16" fill="currentColor" aria-hidden="true">
              <circle cx="3" cy="8" r="1.5" />
              <circle cx="8" cy="8" r="1.5" />
              <circle cx="13" cy="8" r="1.5" />
            </svg>
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={copy}>{T.copy}</Menu.Item>
          {canRise && <Menu.Item onClick={() => move(-1)}>{T.rise}</Menu.Item>}
          {canSink && <Menu.Item onClick={() => move(1)}>{T.sink}</Menu.Item>}
          <Menu.Item color="red" onClick={ask}>
            {T.remove}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {removal !== undefined && (
        <Modal opened onClose={() => setRemoval(undefined)} title={T.removeTitle(name)}>
          {removal.usedBy.length > 0 ? (
            <Text size="sm">{T.inUse(removal.usedBy.join(', '))}</Text>
          ) : (
            <Stack gap="xs">
              {removal.consequences.map(({ kind, name: other, isGone }) => (
                <Text size="sm" key={`${kind} ${other}`}>
                  {(isGone ? T.goes : T.changes)(T.kinds[kind], other)}
                </Text>
              ))}
              <Group justify="flex-end" mt="sm">
                <Button variant="default" onClick={() => setRemoval(undefined)}>
                  {T.keep}
                </Button>
                <Button color="red" onClick={() => remove(removal)} data-autofocus>
                  {T.removeAll}
                </Button>
              </Group>
            </Stack>
          )}
        </Modal>
      )}
    </>
  );
}
