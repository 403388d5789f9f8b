import { describe, expect, it } from '@jest/globals';
import { BodyBudget } from './body-budget.js';

const limits = { bytesMax: 100, strangerBytesMax: 100, addressBytesMax: 100 };

describe('the budget of bodies', () => {
  it('refuses what does not fit, and takes it when room is given back, once', () => {
    const budget = new BodyBudget(limits);
    const [first, second] = [budget.open('192.0.2.1', true), budget.open('192.0.2.2', true)];
    first.hold(50);
    first.hold(10);
    second.hold(40);
    expect(() => second.hold(1)).toThrow('Too many large requests');
    first.release();
    first.release();
    second.hold(60);
    expect(() => second.hold(1)).toThrow('Too many large requests');
  });

  it('leaves those who have shown a session or key all but a small share, whatever strangers send', () => {
    const budget = new BodyBudget({ ...limits, strangerBytesMax: 30 });
    const strangers = ['192.0.2.1', '192.0.2.2'].map((address) => budget.open(address, false));
    strangers[0]?.hold(20);
    strangers[1]?.hold(10);
    expect(() => strangers[1]?.hold(1)).toThrow('Too many large requests');
    budget.open('192.0.2.3', true).hold(70);
  });

  it('does not count who has shown a key later as a stranger any more', () => {
    const budget = new BodyBudget({ ...limits, strangerBytesMax: 30 });
    const worker = budget.open('192.0.2.1', false);
    worker.hold(30);
    worker.recognize();
    worker.hold(40);
    const stranger = budget.open('192.0.2.2', false);
    stranger.hold(30);
    expect(() => stranger.hold(1)).toThrow('Too many large requests');
    worker.release();
    expect(() => stranger.hold(1)).toThrow('Too many large requests');
  });

  it('keeps one address, or one network of a customer, from taking everything', () => {
    const budget = new BodyBudget({ ...limits, addressBytesMax: 60 });
    budget.open('2001:db8::1', true).hold(40);
    const same = budget.open('2001:db8::2', true);
    expect(() => same.hold(21)).toThrow('Too many large requests from your address');
    same.hold(20);
    budget.open('2001:db8:0:1::1', true).hold(40);
    same.release();
    same.hold(20);
  });
});
