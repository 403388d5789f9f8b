import { expect, it } from '@jest/globals';
import { judgeHonestAnswers } from './honest-answers.js';
import type { AskedRequest, Phase } from './honest-users.js';

const asked = (phase: Phase, changed: Partial<AskedRequest> = {}): AskedRequest => ({
  phase,
  route: 'GET /auth/status',
  status: 200,
  ms: 5,
  detail: '',
  ...changed,
});
const many = (phase: Phase, changed?: Partial<AskedRequest>) =>
  Array.from({ length: 300 }, () => asked(phase, changed));
const judged = (...all: AskedRequest[]) => judgeHonestAnswers(all).violations;

it('has nothing against users who are answered well and within three times the quiet p99', () => {
  expect(judged(...many('quiet'), ...many('loaded', { ms: 15 }), asked('loaded', { status: 429 }))).toEqual([]);
});

it.each([0, 500, 502, 503, 504])('finds an answer %d of any route', (status) => {
  const one = asked('loaded', { route: 'GET /results', status, ms: 8, detail: '{}' });
  expect(judged(...many('quiet'), ...many('loaded'), one)).toEqual([`loaded: GET /results → ${status} (8 ms) {}`]);
});

it('finds a p99 of more than three times the quiet one', () => {
  const slow = many('loaded', { ms: 16 }).slice(0, 10);
  expect(judged(...many('quiet'), ...many('loaded'), ...slow)).toEqual([
    'the p99 of GET /auth/status is 3.2 times the quiet one',
  ]);
});

it('finds a phase in which nobody asked', () => {
  expect(judged(...many('quiet'))).toContain('loaded: only 0 times GET /auth/status');
});
