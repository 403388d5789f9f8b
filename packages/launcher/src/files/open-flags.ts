import { constants } from 'node:fs';

/**
 * How a file that a simulator may have changed is opened to read: a link in its place is not followed, and a pipe is not waited
 * for (open(2): O_NOFOLLOW, O_NONBLOCK). What was opened may still be no plain file: look at its stat.
 */
export const READ_UNTRUSTED = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
