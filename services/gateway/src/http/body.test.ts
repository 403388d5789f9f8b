import { describe, expect, it } from '@jest/globals';
import { BodyBudget, parseJsonBody } from './body.js';

describe('the budget of bodies', () => {
  it('refuses what does not fit, and takes it when room is given back, once', () => {
    const budget = new BodyBudget(100);
    const giveBack = budget.reserve(60);
    budget.reserve(40);
    expect(() => budget.reserve(1)).toThrow('Too many large requests');
    giveBack();
    giveBack();
    budget.reserve(60);
    expect(() => budget.reserve(1)).toThrow('Too many large requests');
  });
});

describe('a JSON body', () => {
  it('is kept as it was written', () => {
    const text = '{ "a": 1.0, "__proto__": {"b": 2} }';
    const body = parseJsonBody(Buffer.from(text));
    expect(body.text).toBe(text);
    expect(Object.keys(body.value)).toEqual(['a', '__proto__']);
  });

  it.each(['', '{', '[1]', 'null', '"x"', '{"a":01}', '{"a":1,}'])('is no %j', (text) => {
    expect(() => parseJsonBody(Buffer.from(text))).toThrow();
  });
});
