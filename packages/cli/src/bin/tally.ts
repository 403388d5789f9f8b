#!/usr/bin/env node
import process from 'node:process';
import { EXIT } from '../exit-codes.js';
import { runProgram } from '../program.js';

process.stdout.on('error', (err: NodeJS.ErrnoException) => {
  if (err.code === 'EPIPE') process.exit(0); // the reader, such as head, has enough
});
await runProgram(process.argv.slice(2), {
  env: process.env,
  stdin: process.stdin,
  isTerminal: process.stdout.isTTY && process.stdin.isTTY,
  say: (line = '') => process.stdout.write(`${line}\n`),
  write: (content) => process.stdout.write(content),
  note: (line) => process.stderr.write(`${line}\n`),
  exit: (code) => {
    process.exitCode ??= code;
  },
  onInterrupt: (words) => {
    const end = () => {
      process.stderr.write(`\n${words()}\n`);
      process.exit(EXIT.interrupted);
    };
    process.once('SIGINT', end);
    return () => process.removeListener('SIGINT', end);
  },
});
