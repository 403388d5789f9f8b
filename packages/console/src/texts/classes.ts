/** Pages of teachers. */
export const CLASS_TEXTS = {
  title: 'Classes',
  lead: 'Accounts for a list of students, with an end. What you do here is in the trail that operators read.',
  none: 'There is no class yet.',
  begin: 'New class',
  make: 'Make a class',
  cancel: 'Leave it',
  name: 'Name of the class',
  usernames: 'User names of the students, one a line',
  ends: 'Last day',
  atEnd: 'On that day',
  atEnds: { block: 'accounts are blocked, their work stays', delete: 'accounts are deleted with all their work' },
  warning:
    'Jobs, results, logs and projects of the students are removed on that day. Download the work of the class before.',
  quotaLead: 'What each student may use',
  templates: 'Templates',
  templatesHint: 'Projects of yours that the students see under New job and begin with; they cannot change them',
  addTemplate: 'Add a project of yours',
  takeBack: (title: string) => `Take ${title} back`,
  once: 'Give each student his link. The links are shown this once.',
  copy: 'Copy the list',
  done: 'Done',
  until: (at: string) => `until ${at}`,
  isOver: 'has ended',
  by: (teacher: string) => `made by ${teacher}`,
  joined: (count: number, all: number) => `${count} of ${all} have joined`,
  columns: ['Student', 'State', 'Last login', 'Jobs', 'Projects', ''],
  notYet: 'has not joined yet',
  another: 'Another link',
  anotherAll: 'Links for all who have not joined',
  export: 'Download all work',
  exportHint: 'A zip with a folder for each student: jobs with results as RO-Crate, and projects',
  quota: 'Change the quota',
  eachOf: (name: string) => `Each student of ${name}`,
  quotaOfEach: (hours: string, tasks: string) => `Each student: ${hours}, ${tasks}`,
  hoursOf: (hours: number | null) => {
    if (hours === null) return 'processor time as the server is set';
    return hours === 0 ? 'processor time without bound' : `${hours} h of processor time a month`;
  },
  tasksOf: (tasks: number | null) => {
    if (tasks === null) return 'tasks at a time as the server is set';
    return tasks === 0 ? 'any number of tasks at a time' : `${tasks} ${tasks === 1 ? 'task' : 'tasks'} at a time`;
  },
  quotasDiffer: 'The quotas of the students differ',
  block: 'End the class, block the accounts',
  blockWarning: 'Nobody of the class can log in any more. Jobs and projects stay.',
  remove: 'Delete the class with all work',
  removeWarning:
    'Accounts, jobs, results, logs and projects of all students are removed. This cannot be taken back: download the work before.',
} as const;

/** Projects of others to begin with. */
export const SHARED_TEXTS = {
  title: 'Shared with you',
  lead: 'Projects of your class, your groups or colleagues. You begin with a copy: the project itself stays as it is.',
  by: (name: string) => `by ${name}`,
  templates: 'Templates of Tally',
} as const;
