/** `1 task`, `10 tasks`. */
export const inTasks = (count) => `${count} ${count === 1 ? 'task' : 'tasks'}`;
