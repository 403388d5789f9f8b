import { ActionIcon, Button, Group, Menu, Modal, Pill, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { call, toProblem } from '../api/client.js';
import { queryClient } from '../api/queries.js';
import { ProblemNotice } from '../shell/problem-notice.js';
import { LABEL_TEXTS as T } from '../texts/labels.js';
import { termsOf, withoutTerm, withTerm } from './search-terms.js';

const savedQuery = queryOptions({ queryKey: ['saved-searches'], queryFn: () => call('GET', '/user/searches') });
const DAY_MS = 86_400_000;
/** Who types is not asked at every letter. */
const TYPING_MS = 300;

interface SearchProps {
  readonly search: string;
  readonly onSearch: (search: string) => void;
  /** Why the service could not read the search. */
  readonly error: unknown;
}

/** The search, its terms one by one, terms to add, and searches that are kept. */
export function SearchBox({ search, onSearch, error }: SearchProps) {
  const [text, setText] = useState(search);
  const typing = useRef<ReturnType<typeof setTimeout>>(undefined);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => setText((before) => (before.trim() === search ? before : search)), [search]);
  useEffect(() => () => clearTimeout(typing.current), []);
  const say = (next: string, delayMs = 0) => {
    setText(next);
    clearTimeout(typing.current);
    typing.current = setTimeout(() => onSearch(next.trim()), delayMs);
  };
  const begin = (term: string) => {
    setText(withTerm(text, term));
    input.current?.focus();
  };
  const fault = error === null ? undefined : toProblem(error).fields.find(({ field }) => field.endsWith('search'));
  const keyed = termsOf(search).filter(({ key }) => key !== undefined);
  return (
    <>
      <Group align="flex-start" flex="1 1 320px" wrap="nowrap">
        <TextInput
          ref={input}
          flex={1}
          placeholder={T.search}
          aria-label={T.search}
          title={T.searchHint}
          data-search
          maxLength={500}
          error={fault?.message}
          value={text}
          onChange={(event) => say(event.currentTarget.value, TYPING_MS)}
          onKeyDown={(event) => event.key === 'Enter' && say(text)}
        />
        <AddTerm onAdd={(term) => say(withTerm(text, term))} onBegin={begin} />
        <SavedSearches search={search} onSearch={say} />
      </Group>
      {keyed.length > 0 && (
        <Group gap="xs" w="100%" style={{ order: 1 }}>
          {keyed.map(({ text: term }) => (
            <Pill
              key={term}
              size="md"
              withRemoveButton
              removeButtonProps={{ 'aria-label': T.removeTerm(term), 'aria-hidden': false, tabIndex: 0 }}
              onRemove={() => say(withoutTerm(search, term))}
            >
              {term}
            </Pill>
          ))}
        </Group>
      )}
    </>
  );
}

interface AddProps {
  /** The term is whole. */
  readonly onAdd: (term: string) => void;
  /** The rest of it is typed. */
  readonly onBegin: (term: string) => void;
}

function AddTerm({ onAdd, onBegin }: AddProps) {
  const week = () => `date:${new Date(Date.now() - 6 * DAY_MS).toISOString().slice(0, 10)}..`;
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default">{T.filters}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onAdd('is:favourite')}>{T.favourites}</Menu.Item>
        <Menu.Item onClick={() => onAdd('is:archived')}>{T.archived}</Menu.Item>
        <Menu.Item onClick={() => onAdd(week())}>{T.last7Days}</Menu.Item>
        <Menu.Divider />
        {Object.entries(T.addTerm).map(([key, words]) => (
          <Menu.Item key={key} onClick={() => setTimeout(() => onBegin(`${key}:`))}>
            {words}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function SavedSearches({ search, onSearch }: { readonly search: string; readonly onSearch: (search: string) => void }) {
  const saved = useQuery(savedQuery);
  const [isOpen, { open, close }] = useDisclosure();
  const forget = useMutation({
    mutationFn: (name: string) => call('DELETE', '/user/searches', { query: { name } }),
    onSettled: () => queryClient.invalidateQueries(savedQuery),
  });
  const searches = saved.data?.searches ?? [];
  return (
    <>
      <Menu closeOnItemClick>
        <Menu.Target>
          <Button variant="default">{T.saved}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {searches.length === 0 && <Menu.Label>{T.noSaved}</Menu.Label>}
          {searches.map(({ name, search: kept }) => (
            <Group key={name} gap={0} wrap="nowrap">
              <Menu.Item onClick={() => onSearch(kept)}>
                {name}
                <Text size="xs" c="dimmed" maw={280} truncate>
                  {kept}
                </Text>
              </Menu.Item>
              <ActionIcon variant="subtle" color="gray" aria-label={T.forget(name)} onClick={() => forget.mutate(name)}>
                ×
              </ActionIcon>
            </Group>
          ))}
          <Menu.Divider />
          <Menu.Item disabled={search === ''} onClick={open}>
            {T.save}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <SaveDialog isOpen={isOpen} search={search} onClose={close} />
    </>
  );
}

interface SaveProps {
  readonly isOpen: boolean;
  readonly search: string;
  readonly onClose: () => void;
}

function SaveDialog({ isOpen, search, onClose }: SaveProps) {
  const [name, setName] = useState('');
  const save = useMutation({
    mutationFn: () => call('PUT', '/user/searches', { body: { name: name.trim(), search } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries(savedQuery);
      setName('');
      onClose();
    },
  });
  return (
    <Modal opened={isOpen} onClose={onClose} title={T.save} centered>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <TextInput
          label={T.saveAs}
          description={search}
          maxLength={64}
          value={name}
          data-autofocus
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {save.isError && <ProblemNotice error={save.error} />}
        <Group justify="flex-end" mt="md">
          <Button type="submit" loading={save.isPending} disabled={name.trim() === ''}>
            {T.saveNow}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
