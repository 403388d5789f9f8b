import { defineReasons } from '@tally/service-kit';

/** Reasons of results. */
export const fail = defineReasons('results', {
  JOB_NOT_FOUND: {
    status: 'NOT_FOUND',
    message: 'Job with provided ID does not exist',
    when: 'nothing is stored under this job id: the job never was, or has been deleted',
  },
  JOB_OF_ANOTHER_USER: {
    status: 'PERMISSION_DENIED',
    message: 'Job belongs to another user',
    when: 'input, results or logs of a job are asked for by a user who does not own it',
  },
  RESULTS_UNAVAILABLE: {
    status: 'NOT_FOUND',
    message: 'Results are unavailable',
    when: 'results of a job are asked for before any of its tasks has delivered',
  },
  ESTIMATOR_NOT_FOUND: {
    status: 'NOT_FOUND',
    message: 'Estimator with provided name does not exist',
    when: 'results are asked for by the name of an estimator that the job does not have',
  },
  SELECTION_INVALID: {
    status: 'INVALID_ARGUMENT',
    message: 'Too many page ranges',
    when: 'pages are selected by more than 1000 ranges',
  },
  AXIS_INVALID: {
    status: 'INVALID_ARGUMENT',
    message: 'The page has no such axis or bin',
    when: 'a slice or a sum is asked for along an axis, or at a bin, that a selected page does not have',
  },
  SUM_UNAVAILABLE: {
    status: 'FAILED_PRECONDITION',
    message: 'Sums of this page are not available',
    when: 'sums are asked for of numbers that are no sums (maps, lists), or of final results whose tasks have stored no output that they were merged from, so that their error cannot be known',
  },
  DOWNLOAD_TOO_SLOW: {
    status: 'ABORTED',
    message: 'The file was not read at 8 kB a second and is gone; ask for it again',
    when: 'the reader of an HDF5 file takes nothing for 30 s; seen as a download that breaks off',
  },
  FORMAT_UNSUITABLE: {
    status: 'INVALID_ARGUMENT',
    message: 'The selected pages cannot be written in this format',
    when: 'a format of one page is asked for of several, DICOM for what is no dose on a regular grid, or HDF5 above RESULTS_EXPORT_BYTES_MAX',
  },
  JOB_NOT_ENDED: {
    status: 'FAILED_PRECONDITION',
    message: 'The job has not ended yet',
    when: 'a crate is asked for of a job that still runs',
  },
  OUTPUTS_INCOMPLETE: {
    status: 'FAILED_PRECONDITION',
    message: 'A task has no output, or not all pages',
    when: 'outputs are to be merged of which one, or a page of one, is not stored',
  },
  UPLOAD_INVALID: {
    status: 'INVALID_ARGUMENT',
    message: 'The upload is malformed',
    when: 'parts of an upload come in the wrong order, are missing, or hold impossible values',
  },
  PAGE_SHAPE: {
    status: 'INVALID_ARGUMENT',
    message: 'The numbers of a page do not fit its axes',
    when: 'a page comes with more or fewer numbers than its kind and axes say',
  },
  PAGE_MISMATCH: {
    status: 'INVALID_ARGUMENT',
    message: 'The tasks of the job differ in what a page is',
    when: "a task's page has another name, unit, kind, scale or other axes than the same page of the job's other tasks",
  },
  UPLOAD_TOO_LARGE: {
    status: 'RESOURCE_EXHAUSTED',
    message: 'The upload is too large',
    when: 'an input, a task output or results exceed a limit on documents, pages, bins or bytes, or the lists of all tasks the limit on bins',
  },
  STORAGE_QUOTA_EXCEEDED: {
    status: 'RESOURCE_EXHAUSTED',
    message: 'You have too much stored; delete jobs that you do not need',
    when: 'a job is submitted by a user of whom as many bytes are stored as JOBS_STORED_BYTES_PER_USER_MAX allows (GET /limits); jobs that run store their results all the same',
  },
  LOG_INVALID: {
    status: 'INVALID_ARGUMENT',
    message: 'The log text cannot be appended',
    when: 'a piece of log is longer than 4 MiB or not UTF-8, or its task, name or offset is impossible',
  },
  LOGS_TOO_MANY: {
    status: 'RESOURCE_EXHAUSTED',
    message: 'The job has too many log files',
    when: 'a worker adds a log file to a job that has 10 000 of them',
  },
  OBJECT_STORE_UNAVAILABLE: {
    status: 'UNAVAILABLE',
    message: 'Large results cannot be reached at the moment; try again',
    when: 'the object store of RESULTS_OBJECT_STORE_URL does not answer, or refuses its keys; the log has its words',
  },
  MERGE_REPLACED: {
    status: 'FAILED_PRECONDITION',
    message: 'The job was merged again, or deleted',
    when: 'a worker that was given up brings results of a merge after a later one, of a job that was extended, has stored its own',
  },
  CHANGED_WHILE_READ: {
    status: 'ABORTED',
    message: 'The data was replaced while it was read; read it again',
    when: 'what is being streamed is replaced by a newer upload, or deleted, before the stream ends',
  },
});
