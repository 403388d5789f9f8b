import { describe, expect, it } from '@jest/globals';
import { blankProject } from './blank.js';
import { withValueAt } from './pointer.js';
import { proposeTitle } from './propose-title.js';

describe('a title that nobody has typed', () => {
  it('says the beam and what it goes through', () => {
    expect(proposeTitle(blankProject())).toBe('Proton 150 MeV, water 30 cm');
    expect(proposeTitle(withValueAt(blankProject(), '/beam/sourceType', 'file'))).toBe('Proton spots, water 30 cm');
    expect(proposeTitle({})).toBe('0 MeV');
  });
});
