// A process of the floor, forked by start.mjs: what it is, and what it needs as JSON.
import process from 'node:process';
import { serveRoutes } from './routes.mjs';
import { runTasks } from './runner.mjs';
import { serveStore } from './store.mjs';

const KINDS = { routes: serveRoutes, runner: runTasks, store: serveStore };
const [, , kind, needs] = process.argv;
await KINDS[kind](JSON.parse(needs));
