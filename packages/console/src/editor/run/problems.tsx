import { Badge, Button, Popover, ScrollArea, Stack, Text } from '@mantine/core';
import { EDITOR_TEXTS } from '../../texts/editor.js';
import type { Checked } from '../check/use-checks.js';
import { useEditor, useProblemsAt } from '../editor-context.js';
import { textAt } from '../model/pointer.js';

const T = EDITOR_TEXTS.run;

interface ProblemsProps {
  readonly checked: Checked;
  /** Pointers of fields with a text that is no value. */
  readonly drafts: readonly string[];
  readonly onGoTo: (pointer: string) => void;
}

/** What is in the way of running, each with the way to its place; and what the simulators note. */
export function Problems({ checked, drafts, onGoTo }: ProblemsProps) {
  const { store } = useEditor();
  useProblemsAt(''); // those whose place is not on the page are said in the list
  const { problems, others, warnings, isChecking, fault } = checked;
  const count = problems.length + drafts.length;
  const nameOf = (pointer: string) => {
    const part = /^(.*?\/\d+)(?:\/|$)/.exec(pointer)?.[1] ?? pointer;
    return textAt(store.getState().project, `${part}/name`) || pointer.split('/')[1];
  };
  const state = isChecking ? 'checking' : count > 0 ? 'refused' : 'fine';
  return (
    <Popover position="top-end" withArrow shadow="md" width={420} trapFocus>
      <Popover.Target>
        <Button variant="subtle" color={count > 0 ? 'red' : 'gray'} px="xs" data-check={state} data-count={count}>
          {fault !== undefined
            ? T.noCheck(fault)
            : count > 0
              ? T.problems(count)
              : isChecking
                ? T.checking
                : warnings.length + others.length > 0
                  ? T.warnings(warnings.length + others.length)
                  : T.fine}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <ScrollArea.Autosize mah={360}>
          <Stack gap="xs">
            {drafts.map((pointer) => (
              <Item key={pointer} title={nameOf(pointer) ?? ''} text={T.typed} onClick={() => onGoTo(pointer)} />
            ))}
            {problems.map(({ pointer, message, simulators }) => (
              <Item
                key={`${pointer} ${message}`}
                title={`${nameOf(pointer) ?? ''}${simulators === undefined ? '' : T.by(simulators.join(', '))}`}
                text={message}
                onClick={() => onGoTo(pointer)}
              />
            ))}
            {others.map(({ pointer, message, simulators }) => (
              <Text size="sm" key={`${pointer} ${message}`} c="dimmed">
                {T.wouldRefuse(simulators?.join(', ') ?? '', message)}
              </Text>
            ))}
            {warnings.map(({ message, simulators }) => (
              <Text size="sm" key={message} c="dimmed">
                {message}
                {simulators === undefined ? '' : T.by(simulators.join(', '))}
              </Text>
            ))}
            {count + others.length + warnings.length === 0 && <Text size="sm">{T.fine}</Text>}
          </Stack>
        </ScrollArea.Autosize>
      </Popover.Dropdown>
    </Popover>
  );
}

function Item({
  title,
  text,
  onClick,
}: {
  readonly title: string;
  readonly text: string;
  readonly onClick: () => void;
}) {
  return (
    <div>
      <Badge color="red" variant="light" tt="none" mr={6}>
        {title}
      </Badge>
      <Button variant="subtle" size="compact-xs" onClick={onClick}>
        {T.goTo}
      </Button>
      <Text size="sm">{text}</Text>
    </div>
  );
}
