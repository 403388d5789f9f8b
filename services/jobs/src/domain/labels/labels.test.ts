import { describe, expect, it } from '@jest/globals';
import { changeLabels, checkLabelChange, type TitledLabels } from './labels.js';

const NONE: TitledLabels = {
  revision: 0,
  title: 'T',
  tags: [],
  note: null,
  hasNote: false,
  isFavourite: false,
  isArchived: false,
};
const change = (given: Partial<Parameters<typeof checkLabelChange>[0]>) =>
  checkLabelChange({ addedTags: [], removedTags: [], ...given });
const after = (now: TitledLabels, given: Parameters<typeof change>[0]) => changeLabels(now, change(given));

describe('labels of a job', () => {
  it('count their changes, and are the same where nothing changes', () => {
    const first = after(NONE, { addedTags: ['qa', 'Head'], isFavourite: true, note: 'a\r\nb \n' });
    expect(first).toEqual({
      ...NONE,
      revision: 1,
      tags: ['Head', 'qa'],
      note: 'a\nb',
      hasNote: true,
      isFavourite: true,
    });
    expect(after(first, { addedTags: ['QA'], removedTags: ['none'], isFavourite: true, title: ' T ' })).toBe(first);
    expect(after(first, { removedTags: ['HEAD'], note: '' })).toMatchObject({ revision: 2, tags: ['qa'], note: null });
  });

  it('have at most 20 tags; who has more may take some away', () => {
    const tags = Array.from({ length: 20 }, (_, i) => `t${i}`);
    const full = after(NONE, { addedTags: tags });
    expect(full.tags).toHaveLength(20);
    expect(() => after(full, { addedTags: ['one more'] })).toThrow(/21 tags, more than the 20 allowed/);
    expect(after(full, { addedTags: ['one more'], removedTags: ['t0'] }).tags).toHaveLength(20);
    expect(after({ ...full, tags: [...full.tags, 'x', 'y'] }, { removedTags: ['x'] }).tags).toHaveLength(21);
  });

  it('refuses texts that cannot be shown, and a change of nothing', () => {
    expect(() => change({})).toThrow(/must be given/);
    expect(() => change({ title: ' ' })).toThrow(/title must be one line of 1 to 256/);
    expect(() => change({ title: 'a\nb' })).toThrow(/title must/);
    expect(() => change({ note: 'x'.repeat(10_001) })).toThrow(/note has 10001 characters, more than the 10000/);
    expect(() => change({ note: 'a\u0000' })).toThrow(/note has control characters/);
    for (const tag of ['', ' ', 'x'.repeat(65), 'a"b', 'a\nb']) {
      expect(() => change({ addedTags: [tag] })).toThrow(/add_tags must be tags of one line of 1 to 64 characters/);
    }
    expect(change({ note: 'x'.repeat(10_000), addedTags: ['x'.repeat(64)] }).note).toHaveLength(10_000);
  });
});
