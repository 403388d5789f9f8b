import { Accordion, Alert, Button, Card, Grid, Stack, Text } from '@mantine/core';
import { lazy, Suspense, useMemo } from 'react';
import { toProblem } from '../api/client.js';
import { ProblemNotice } from '../shell/problem-notice.js';
import { useKept } from '../shell/use-kept.js';
import { TEXTS } from '../texts.js';
import { Estimate } from './estimate.js';
import { OptionsForm } from './options-form.js';
import { titleOf, titleWithChanges, withChanges } from './project.js';
import { ProjectSummary } from './project-summary.js';
import { bodyOf, estimateOf, initialOptions, type Options, type Source, useSubmission } from './submission.js';
import classes from './submit.module.css';

const T = TEXTS.submit;
const Preview = lazy(async () => ({ default: (await import('./preview.js')).Preview }));

interface FormProps {
  readonly source: Source;
  readonly onChange: (source: Source) => void;
  /** What was changed in a template, for the title; undefined: the source is none. */
  readonly changes?: string | undefined;
}

/** What will be simulated, what it looks like, and how it shall run. */
export function SubmitForm({ source, onChange, changes }: FormProps) {
  const [original] = useKept<Source>('original', () => source);
  const proposed = proposeTitle(original, source, changes);
  const [typedTitle, setTypedTitle] = useKept<string | undefined>('title', () => undefined);
  const [chosen, setChosen] = useKept('options', () => initialOptions(primariesOf(source)));
  // a title that nobody has typed follows what is changed
  const options = useMemo(() => ({ ...chosen, title: typedTitle ?? proposed }), [chosen, typedTitle, proposed]);
  const setOptions = ({ title, ...others }: Options) => {
    if (title !== options.title) setTypedTitle(title);
    setChosen(others);
  };
  const body = useMemo(() => bodyOf(source, options), [source, options]);
  const submit = useSubmission(() => body);
  const problem = submit.isError ? toProblem(submit.error) : undefined;
  return (
    <Grid>
      <Grid.Col span={{ base: 12, md: 7 }}>
        <Stack>
          {source.kind === 'editor' && (
            <>
              <Card withBorder padding={0}>
                <Suspense fallback={<div className={classes.scene} />}>
                  <Preview project={source.project} />
                </Suspense>
              </Card>
              <ProjectSummary project={source.project} faults={problem?.fields ?? []} />
            </>
          )}
          {source.kind === 'files' && <Deck files={source.files} />}
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Card withBorder>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              submit.mutate();
            }}
          >
            <Stack>
              <OptionsForm
                options={options}
                onChange={setOptions}
                source={source}
                onSource={onChange}
                faults={problem?.fields ?? []}
              />
              {submit.isError && <ProblemNotice error={submit.error} />}
              <Estimate body={estimateOf(body)} />
              <Button type="submit" size="md" loading={submit.isPending}>
                {T.run}
              </Button>
            </Stack>
          </form>
        </Card>
      </Grid.Col>
    </Grid>
  );
}

const primariesOf = (source: Source) => (source.kind === 'editor' ? source.project.beam.numberOfParticles : undefined);

function proposeTitle(original: Source, changed: Source, changes: string | undefined): string {
  if (changed.kind !== 'editor' || original.kind !== 'editor') return '';
  return changes === undefined
    ? titleWithChanges(original.project, changed.project)
    : withChanges(titleOf(changed.project), changes);
}

function Deck({ files }: { readonly files: Readonly<Record<string, string>> }) {
  const names = Object.keys(files);
  if (names.length === 0) return <Alert color="orange">{T.drop}</Alert>;
  return (
    <Accordion variant="contained" defaultValue={names[0] ?? null}>
      {names.map((name) => (
        <Accordion.Item key={name} value={name}>
          <Accordion.Control>{name}</Accordion.Control>
          <Accordion.Panel>
            <Text component="pre" size="xs" ff="monospace" style={{ overflow: 'auto', maxHeight: 300 }}>
              {files[name]?.slice(0, 20_000)}
            </Text>
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}
