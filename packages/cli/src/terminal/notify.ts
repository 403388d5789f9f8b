import { spawn } from 'node:child_process';
import type { Environment } from '../config-file.js';

/** Text without what a terminal takes for a command (ECMA-48). */
const printable = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ');

/** What makes a terminal notify: the notification that many terminals know (OSC 9), ended by the bell, which all others ring. */
export const notifySequence = (text: string): string => `\u001b]9;${printable(text)}\u0007\u0007`;

/** Shows a notification of the desktop where there is notify-send; nothing waits for it, and nothing depends on it. */
export function notifyDesktop(title: string, text: string, env: Environment): void {
  if (env.DISPLAY === undefined && env.WAYLAND_DISPLAY === undefined) return;
  const child = spawn('notify-send', ['--app-name=Tally', '--', printable(title), printable(text)], {
    stdio: 'ignore',
    detached: true,
  });
  child.on('error', () => undefined); // there is no such program
  child.unref();
}
