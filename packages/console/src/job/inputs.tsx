import { Anchor, Group, Select, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { inputsQuery } from '../api/queries.js';
import { saveText } from '../results/save.js';
import { ProblemNotice } from '../shell/problem-notice.js';
import { TEXTS } from '../texts.js';
import classes from './text-box.module.css';

/** What was submitted, and the deck made of it, as files to read and to take away. */
export function Inputs({ jobId }: { readonly jobId: string }) {
  const inputs = useQuery(inputsQuery(jobId));
  const [wanted, setWanted] = useState<string | null>(null);
  const files = useMemo<Readonly<Record<string, string>>>(() => {
    const { data } = inputs;
    if (data === undefined) return {};
    if (data.input_type === 'files') return data.input;
    return { 'project.json': JSON.stringify(data.input, null, 2), ...data.files };
  }, [inputs]);
  if (inputs.isError) return <ProblemNotice error={inputs.error} />;
  if (inputs.isPending) return <Skeleton h={200} />;
  const names = Object.keys(files);
  const name = wanted ?? names[0] ?? '';
  const text = files[name] ?? '';
  return (
    <>
      <Group mb="sm">
        <Select
          aria-label={TEXTS.job.inputs}
          data={names}
          value={name}
          onChange={setWanted}
          allowDeselect={false}
          w={220}
        />
        <Anchor component="button" size="sm" onClick={() => saveText(name, text)}>
          {TEXTS.job.download}
        </Anchor>
      </Group>
      <pre className={classes.box} tabIndex={0} aria-label={name}>
        {text}
      </pre>
    </>
  );
}
