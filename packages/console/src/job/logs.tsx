import { Group, Select, Skeleton, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { logsQuery } from '../api/queries.js';
import { ProblemNotice } from '../shell/problem-notice.js';
import { TEXTS } from '../texts.js';
import classes from './text-box.module.css';

const SHOWN_CHARACTERS = 200_000;

/** The end of a log, which grows while the job runs. */
export function Logs({ jobId, isRunning }: { readonly jobId: string; readonly isRunning: boolean }) {
  const logs = useQuery(logsQuery(jobId, isRunning));
  const [wanted, setWanted] = useState<string | null>(null);
  const [follows, setFollows] = useState(true);
  const box = useRef<HTMLPreElement>(null);
  const names = Object.keys(logs.data?.logfiles ?? {}).sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  const name = wanted !== null && names.includes(wanted) ? wanted : (names[0] ?? '');
  const text = logs.data?.logfiles[name] ?? '';
  useEffect(() => {
    if (follows && box.current !== null) box.current.scrollTop = box.current.scrollHeight;
  }, [text, follows]);
  if (logs.isError) return <ProblemNotice error={logs.error} />;
  if (logs.isPending) return <Skeleton h={200} />;
  if (names.length === 0) return <Text c="dimmed">{TEXTS.job.noLogs}</Text>;
  return (
    <>
      <Group mb="sm">
        <Select
          aria-label={TEXTS.job.logs}
          data={names}
          value={name}
          onChange={setWanted}
          allowDeselect={false}
          searchable
          w={180}
        />
        <Switch label={TEXTS.job.follow} checked={follows} onChange={(e) => setFollows(e.currentTarget.checked)} />
      </Group>
      <pre ref={box} className={classes.box} tabIndex={0} aria-label={`${TEXTS.job.logs} ${name}`}>
        {text.slice(-SHOWN_CHARACTERS)}
      </pre>
    </>
  );
}
