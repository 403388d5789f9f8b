import type { Statements } from '@tally/service-kit';
import type { JobId } from '../domain/job-id.js';
import type { SchedulerEnd, TaskRecord } from '../domain/observe/task-record.js';
import type { TaskStore } from '../domain/ports.js';
import type { PrismaClient, SubmissionTask } from '../generated/prisma/client.js';
import { saveTasks } from './statements/tasks.js';

function toRecord(row: SubmissionTask): TaskRecord {
  const { taskId, reported, hasEndFile, isOutputStored, isTailStored } = row;
  return {
    taskId,
    reported: reported as TaskRecord['reported'],
    end: toEnd(row),
    absentSince: row.absentSince ?? undefined,
    stuckSince: row.stuckSince ?? undefined,
    hasEndFile,
    logBytes: Number(row.logBytes),
    isOutputStored,
    isTailStored,
    progressAt: row.progressAt ?? undefined,
  };
}

/** All of it is there, or nothing: a CHECK of the table. */
function toEnd({ endOutcome, endDescription, endObservedAt }: SubmissionTask): SchedulerEnd | undefined {
  if (endOutcome === null || endDescription === null || endObservedAt === null) return undefined;
  return {
    outcome: endOutcome as SchedulerEnd['outcome'],
    description: endDescription,
    observedAt: endObservedAt,
  };
}

/** A record as {@link saveTasks} reads it. */
function toJson({ end, ...record }: TaskRecord): object {
  return {
    task_id: record.taskId,
    reported: record.reported,
    end_outcome: end?.outcome,
    end_description: end?.description,
    end_observed_at: end?.observedAt,
    absent_since: record.absentSince,
    stuck_since: record.stuckSince,
    has_end_file: record.hasEndFile,
    log_bytes: record.logBytes,
    is_output_stored: record.isOutputStored,
    is_tail_stored: record.isTailStored,
    progress_at: record.progressAt,
  };
}

/** What is remembered of tasks, in PostgreSQL. */
export function createTaskStore(client: PrismaClient, database: Statements): TaskStore {
  return {
    async list(jobIds) {
      const rows = await client.submissionTask.findMany({ where: { jobId: { in: [...jobIds] } } });
      const jobs = new Map<string, Map<number, TaskRecord>>(jobIds.map((jobId) => [jobId, new Map()]));
      for (const row of rows) jobs.get(row.jobId)?.set(row.taskId, toRecord(row));
      return jobs as Map<JobId, Map<number, TaskRecord>>;
    },
    async save(jobId, records) {
      await database.run(saveTasks(jobId, records.map(toJson)));
    },
    async delete(jobId) {
      await client.submissionTask.deleteMany({ where: { jobId } });
    },
  };
}
