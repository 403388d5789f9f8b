import { Alert, Button, Card, Group, MultiSelect, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { QuotaInputs, toBounds, toFields } from '../admin/quota-fields.js';
import { call } from '../api/client.js';
import { ProblemNotice } from '../shell/problem-notice.js';
import { CLASS_TEXTS as T } from '../texts/classes.js';
import { Invitations } from './invitations.js';
import { ownProjectsQuery, refreshClasses } from './queries.js';

const BLANK = {
  name: '',
  names: '',
  day: '',
  atEnd: 'block' as 'block' | 'delete',
  quota: toFields(undefined),
  templates: [] as string[],
};
type Fields = typeof BLANK;

const bodyOf = ({ name, names, day, atEnd, quota, templates }: Fields) => ({
  name,
  usernames: names.split('\n').flatMap((line) => (line.trim() === '' ? [] : line.trim())),
  ends_at: new Date(`${day}T23:59:59`).toISOString(),
  at_end: atEnd,
  quota: toBounds(quota),
  templates,
  reason: name,
});

/** The form of a new class, then its links. */
export function NewClass({ onDone }: { readonly onDone: () => void }) {
  const [fields, setFields] = useState(BLANK);
  const make = useMutation({
    mutationFn: () => call('POST', '/admin/classes', { body: bodyOf(fields) }),
    onSuccess: refreshClasses,
  });
  if (make.data !== undefined) return <Invitations invitations={make.data.invitations} onDone={onDone} />;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    make.mutate();
  };
  return (
    <Card withBorder>
      <form onSubmit={submit}>
        <Stack>
          <Form fields={fields} onChange={(change) => setFields((before) => ({ ...before, ...change }))} />
          {fields.atEnd === 'delete' && (
            <Alert color="orange" variant="light">
              {T.warning}
            </Alert>
          )}
          {make.isError && <ProblemNotice error={make.error} />}
          <Group>
            <Button type="submit" loading={make.isPending}>
              {T.make}
            </Button>
            <Button variant="default" onClick={onDone}>
              {T.cancel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}

interface FormProps {
  readonly fields: Fields;
  readonly onChange: (change: Partial<Fields>) => void;
}

function Form({ fields, onChange }: FormProps) {
  const projects = useQuery(ownProjectsQuery);
  const choices = projects.data?.projects.map(({ project_id: value, title: label }) => ({ value, label })) ?? [];
  return (
    <Group align="flex-start" grow>
      <Stack>
        <TextInput
          label={T.name}
          required
          maxLength={100}
          value={fields.name}
          onChange={(e) => onChange({ name: e.currentTarget.value })}
        />
        <TextInput
          type="date"
          label={T.ends}
          required
          value={fields.day}
          onChange={(e) => onChange({ day: e.currentTarget.value })}
        />
        <Select
          label={T.atEnd}
          allowDeselect={false}
          data={Object.entries(T.atEnds).map(([value, label]) => ({ value, label }))}
          value={fields.atEnd}
          onChange={(value) => onChange({ atEnd: value === 'delete' ? 'delete' : 'block' })}
        />
        <Text size="sm">{T.quotaLead}</Text>
        <QuotaInputs value={fields.quota} onChange={(quota) => onChange({ quota })} />
        {choices.length > 0 && (
          <MultiSelect
            label={T.templates}
            description={T.templatesHint}
            searchable
            data={choices}
            value={fields.templates}
            onChange={(templates) => onChange({ templates })}
          />
        )}
      </Stack>
      <Textarea
        label={T.usernames}
        required
        autosize
        minRows={12}
        maxRows={20}
        value={fields.names}
        onChange={(e) => onChange({ names: e.currentTarget.value })}
      />
    </Group>
  );
}
