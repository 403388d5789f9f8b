import { describe, expect, it } from '@jest/globals';
import { notifyDesktop, notifySequence } from './notify.js';

describe('a notification', () => {
  it('is OSC 9 and a bell, and a title cannot command the terminal', () => {
    expect(notifySequence('Water tank: COMPLETED')).toBe('\u001b]9;Water tank: COMPLETED\u0007\u0007');
    expect(notifySequence('a\u0007\u001b]0;b')).toBe('\u001b]9;a  ]0;b\u0007\u0007');
  });

  it('of the desktop needs a desktop, and no program for it', () => {
    notifyDesktop('t', 'x', {});
    notifyDesktop('t', 'x', { DISPLAY: ':0' });
  });
});
