import { ACCOUNT_TEXTS } from './texts/account.js';
import { JOB_TEXTS } from './texts/job.js';
import { JOBS_TEXTS } from './texts/jobs.js';
import { RESULTS_TEXTS } from './texts/results.js';
import { SHELL_TEXTS } from './texts/shell.js';
import { SUBMIT_TEXTS } from './texts/submit.js';
import { TEMPLATE_TEXTS } from './texts/templates.js';

/** Every text of the pages that a first visit loads, and of those that follow it at once; `texts/` has the texts page by page. */
export const TEXTS = {
  ...SHELL_TEXTS,
  ...JOBS_TEXTS,
  job: JOB_TEXTS,
  submit: SUBMIT_TEXTS,
  templates: TEMPLATE_TEXTS,
  results: RESULTS_TEXTS,
  account: ACCOUNT_TEXTS,
} as const;
