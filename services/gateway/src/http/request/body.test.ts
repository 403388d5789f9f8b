import { describe, expect, it } from '@jest/globals';
import { BodyBudget, parseJsonBody } from './body.js';

describe('the budget of bodies', () => {
  it('refuses what does not fit, and takes it when room is given back, once', () => {
    const budget = new BodyBudget(100);
    const [first, second] = [budget.open(), budget.open()];
    first.hold(50);
    first.hold(10);
    second.hold(40);
    expect(() => second.hold(1)).toThrow('Too many large requests');
    first.release();
    first.release();
    second.hold(60);
    expect(() => second.hold(1)).toThrow('Too many large requests');
  });
});

describe('a JSON body', () => {
  it('is parsed, but for the members that only the service reads', () => {
    const text = '{ "a": 1.0, "__proto__": {"b": 2}, "data": { "n": 1.00, x }, "data2": [1] }';
    const body = parseJsonBody(Buffer.from(text), ['data', 'data2', 'data3']);
    expect(Object.entries(body.value)).toEqual([
      ['a', 1],
      ['__proto__', { b: 2 }],
      ['data', {}],
      ['data2', []],
    ]);
    expect([...body.raw]).toEqual([
      ['data', '{ "n": 1.00, x }'],
      ['data2', '[1]'],
    ]);
  });

  it('may be large only in what is not read here, and has few members', () => {
    const large = `{"x":"${'x'.repeat(1_000_000)}"}`;
    expect(parseJsonBody(Buffer.from(`{"data":${large},"a":1}`), ['data']).value).toEqual({ data: {}, a: 1 });
    expect(() => parseJsonBody(Buffer.from(`{"other":${large}}`), ['data'])).toThrow('Only data may be larger');
    expect(parseJsonBody(Buffer.from(`{"data":[${large}]}`), ['data']).value).toEqual({ data: [] });
    const text = `{"data":"${'x'.repeat(1_000_001)}"}`;
    expect(() => parseJsonBody(Buffer.from(text), ['data'])).toThrow('Only data may be larger');
    const many = `{${'"a":1,'.repeat(1_000)}"a":1}`;
    expect(() => parseJsonBody(Buffer.from(many), ['data'])).toThrow('too many members');
  });

  it.each(['', '{', '[1]', 'null', '"x"', '{"a":01}', '{"a":1,}', '{"a":NaN}'])('is no %j', (text) => {
    expect(() => parseJsonBody(Buffer.from(text))).toThrow();
    expect(() => parseJsonBody(Buffer.from(text), ['data'])).toThrow();
  });
});
