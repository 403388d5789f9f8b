import { serveThread, type ThreadResult } from '@tally/service-kit';
import { createDeckDriver } from '@tally/simulators';
import { divideDeck } from './divide-deck.js';
import { answerRead } from './read-output.js';
import type { OutputRequest, SimulatorRequest } from './simulator-request.js';

serveThread((request: SimulatorRequest) =>
  'divide' in request ? { value: divideDeck(request.divide) } : read(request.read),
);

async function read({ choice, ...request }: OutputRequest): Promise<ThreadResult> {
  const value = await answerRead(createDeckDriver(choice), request);
  return { value, transfer: 'written' in value ? [value.written.bytes.buffer] : [] };
}
