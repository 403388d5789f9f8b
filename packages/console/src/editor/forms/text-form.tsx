import { Button, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { EDITOR_TEXTS } from '../../texts/editor.js';
import classes from '../editor.module.css';
import { useAllProblems, useEditor, useProject } from '../editor-context.js';
import { lineOf, whereNotJson } from '../model/json-lines.js';
import { isObject } from '../model/pointer.js';

const T = EDITOR_TEXTS.text;
/** Longest text that is shown, characters. */
const SHOWN_MAX = 1_000_000;

/** The project as JSON, to read and to change; the places of problems are lines. */
export function TextForm() {
  const { store } = useEditor();
  const project = useProject();
  const problems = useAllProblems();
  const [typed, setTyped] = useState<{ text: string; of: unknown } | undefined>();
  // what was typed holds until the project is changed elsewhere
  const text = typed !== undefined && typed.of === project ? typed.text : JSON.stringify(project, null, 2);
  const fault = faultOf(text);
  const change = (next: string) => {
    if (faultOf(next) === undefined) {
      const value: unknown = JSON.parse(next);
      if (isObject(value) && JSON.stringify(value) !== JSON.stringify(project)) store.edit(() => value, 'text');
    }
    setTyped({ text: next, of: store.getState().project });
  };
  if (text.length > SHOWN_MAX) return <Text size="sm">{T.large(`${Math.round(text.length / 1e5) / 10} MB`)}</Text>;
  return (
    <Stack gap="xs">
      <Text size="xs" c="dimmed">
        {T.lead}
      </Text>
      {problems.map(({ pointer, message }) => (
        <div key={`${pointer} ${message}`}>
          <Button variant="subtle" color="red" size="compact-xs" onClick={() => goToLine(lineOf(text, pointer))}>
            {T.atLine(lineOf(text, pointer), pointer)}
          </Button>
          <Text size="xs" c="var(--mantine-color-error)">
            {message}
          </Text>
        </div>
      ))}
      <Textarea
        label={T.label}
        className={classes.text}
        minRows={20}
        maxRows={40}
        autosize
        spellCheck={false}
        value={text}
        onChange={(event) => change(event.currentTarget.value)}
        error={fault}
        data-json
      />
    </Stack>
  );
}

function faultOf(text: string): string | undefined {
  try {
    return isObject(JSON.parse(text)) ? undefined : T.notObject;
  } catch (err) {
    const why = err instanceof Error ? err.message : String(err);
    return T.notJson(whereNotJson(text, why), why.replace(/ (?:in JSON )?at position.*$/, ''));
  }
}

/** Puts the cursor at a line of the text. */
function goToLine(line: number): void {
  const area = document.querySelector<HTMLTextAreaElement>('textarea[data-json]');
  if (area === null) return;
  const start =
    area.value
      .split('\n')
      .slice(0, line - 1)
      .join('\n').length + (line > 1 ? 1 : 0);
  area.focus();
  area.setSelectionRange(start, area.value.indexOf('\n', start));
  area.scrollTop = (area.scrollHeight * (line - 4)) / area.value.split('\n').length;
}
