#!/usr/bin/env node
import { runEngineCommand } from './run-engine-command.js';

await runEngineCommand(process.argv.slice(2));
