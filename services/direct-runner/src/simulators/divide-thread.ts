import { serveThread } from '@tally/service-kit';
import { type DivideRequest, divideDeck } from './divide-deck.js';

serveThread((request: DivideRequest) => ({ value: divideDeck(request) }));
