/** The transport problem: equal in every task of a job. */
export const PROBLEM_FILE = 'problem.json';
/** Which histories a task runs. */
export const TASK_FILE = 'task.json';
/** What a task computed, as packages/merge reads it. */
export const OUTPUT_FILE = 'output.tally';
