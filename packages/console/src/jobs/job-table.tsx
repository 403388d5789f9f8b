import { Badge, Box, Checkbox, Progress, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { useLiveJob } from '../api/live.js';
import { isFinal, mayDo, type Simulation, statusQuery } from '../api/queries.js';
import { duration, personName, secondsBetween } from '../format.js';
import { progressOf } from '../job/progress.js';
import { tagTerm } from '../labels/search-terms.js';
import { StarButton } from '../labels/star-button.js';
import { Moment } from '../shell/moment.js';
import { StateBadge } from '../shell/state-badge.js';
import { LABEL_TEXTS } from '../texts/labels.js';
import { VIEW_TEXTS } from '../texts/views.js';
import { TEXTS } from '../texts.js';
import classes from './job-table.module.css';
import { Removals } from './removals.js';

const ROW_PIXELS = 58;
const T = TEXTS.jobs;

interface TableProps {
  readonly jobs: readonly Simulation[];
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (selected: ReadonlySet<string>) => void;
  /** The last row is in sight. */
  readonly onEnd: () => void;
  /** A term for the search was chosen. */
  readonly onTerm: (term: string) => void;
}

/** Rows of jobs; only those in sight exist, so that thousands cost no more than a screenful. */
export function JobTable({ jobs, selected, onSelect, onEnd, onTerm }: TableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: jobs.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PIXELS,
    overscan: 8,
  });
  const items = rows.getVirtualItems();
  const lastIndex = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (lastIndex >= jobs.length - 1) onEnd();
  }, [lastIndex, jobs.length, onEnd]);
  const ids = jobs.map(({ job_id: jobId }) => jobId);
  const chosen = ids.filter((id) => selected.has(id)).length;
  const toggle = (jobId: string) => {
    const next = new Set(selected);
    if (!next.delete(jobId)) next.add(jobId);
    onSelect(next);
  };
  return (
    <div ref={scroller} className={classes.scroller} role="table" aria-label={T.title} aria-rowcount={jobs.length}>
      <div className={classes.head} role="row">
        <span role="columnheader">
          <Checkbox
            checked={chosen === jobs.length}
            indeterminate={chosen > 0 && chosen < jobs.length}
            onChange={() => onSelect(chosen === jobs.length ? new Set() : new Set(ids))}
            aria-label={T.selectAll}
          />
        </span>
        {Object.entries(T.headings).map(([name, text]) => (
          <span key={name} role="columnheader" data-column={name}>
            {text}
          </span>
        ))}
      </div>
      <div role="rowgroup" style={{ height: rows.getTotalSize(), position: 'relative' }}>
        {items.map(({ index, start, key }) => {
          const job = jobs[index];
          return job === undefined ? undefined : (
            <div
              key={key}
              className={classes.row}
              role="row"
              aria-rowindex={index + 1}
              style={{ transform: `translateY(${start}px)`, height: ROW_PIXELS }}
            >
              <Row
                job={job}
                isSelected={selected.has(job.job_id)}
                onToggle={() => toggle(job.job_id)}
                onTerm={onTerm}
              />
            </div>
          );
        })}
      </div>
    </div>
  );
}

interface RowProps {
  readonly job: Simulation;
  readonly isSelected: boolean;
  readonly onToggle: () => void;
  readonly onTerm: TableProps['onTerm'];
}

function Row({ job, isSelected, onToggle, onTerm }: RowProps) {
  const live = useLiveJob(job.job_id);
  const state = isFinal(job.job_state) ? job.job_state : (live.state ?? job.job_state);
  const end = job.end_time ?? live.endTime;
  const seconds = secondsBetween(job.start_time, end ?? Date.now());
  const hasStar = mayDo(job, 'change');
  return (
    <>
      <span role="cell">
        <Checkbox checked={isSelected} onChange={onToggle} aria-label={T.select(job.title)} />
      </span>
      <span role="cell" className={classes.title}>
        <span className={classes.name}>
          {hasStar && <StarButton jobId={job.job_id} title={job.title} isFavourite={job.labels?.favourite === true} />}
          <Link to="/jobs/$jobId" params={{ jobId: job.job_id }} className={classes.link}>
            {job.title}
          </Link>
        </span>
        <Below job={job} hasStar={hasStar} onTerm={onTerm} />
      </span>
      <span role="cell">
        <StateBadge state={state} stoppedAt={state === 'COMPLETED' ? shareOf(job) : undefined} />
        {!isFinal(state) && <RowProgress jobId={job.job_id} />}
      </span>
      <Text span role="cell" size="sm" data-column="beam" lineClamp={2}>
        {job.description?.beam}
        {job.description !== undefined && (
          <Text span size="xs" c="dimmed" display="block">
            {primariesWords(job.simulated_primaries, job.description.requested_primaries)}
          </Text>
        )}
      </Text>
      <Text span role="cell" size="sm" data-column="simulator">
        {job.sim_type}
        <Text span size="xs" c="dimmed" display="block" truncate title={job.description?.engine}>
          {job.description?.engine}
        </Text>
      </Text>
      <Text span role="cell" size="sm" data-column="tasks">
        {job.ntasks}
      </Text>
      <Text span role="cell" size="sm" data-column="start">
        <Moment at={job.start_time} />
      </Text>
      <Text span role="cell" size="sm" data-column="time">
        {duration(seconds)}
      </Text>
    </>
  );
}

/** Whose a job is, what is noted of it, and its id. */
function Below({ job, hasStar, onTerm }: Pick<RowProps, 'job' | 'onTerm'> & { readonly hasStar: boolean }) {
  return (
    <span className={classes.below} data-star={hasStar}>
      {job.owner !== undefined && (
        <Text span size="xs">
          {VIEW_TEXTS.of(personName(job.owner))}
        </Text>
      )}
      {job.group !== undefined && (
        <Badge size="sm" variant="outline" tt="none">
          {job.group.name}
        </Badge>
      )}
      {job.labels?.archived === true && (
        <Badge size="xs" variant="outline" color="gray">
          {LABEL_TEXTS.isArchived}
        </Badge>
      )}
      {job.labels?.tags.map((tag) => (
        <Badge
          key={tag}
          component="button"
          type="button"
          size="sm"
          variant="light"
          tt="none"
          className={classes.tag}
          aria-label={LABEL_TEXTS.withTag(tag)}
          onClick={() => onTerm(tagTerm(tag))}
        >
          {tag}
        </Badge>
      ))}
      {job.actions === undefined && <Removals jobId={job.job_id} />}
      <Text span size="xs" c="dimmed" truncate className={classes.id}>
        {job.job_id}
      </Text>
    </span>
  );
}

/** What a completed job has simulated of what was asked for: less than all where it was stopped. */
const shareOf = ({ simulated_primaries: done, description }: Simulation): number | undefined =>
  done === undefined || description === undefined || description.requested_primaries === 0
    ? undefined
    : done / description.requested_primaries;

const primariesWords = (done: number | undefined, asked: number): string =>
  done === undefined ? TEXTS.job.asked(asked) : TEXTS.job.doneOf(done, asked);

function RowProgress({ jobId }: { readonly jobId: string }) {
  const live = useLiveJob(jobId);
  const status = useQuery(statusQuery(jobId));
  const { share } = progressOf(status.data?.job_tasks_status ?? [], live.tasks);
  return (
    <Box mt={4} maw={110}>
      <Progress value={100 * share} size="sm" aria-label={`${Math.round(100 * share)} %`} transitionDuration={300} />
    </Box>
  );
}
