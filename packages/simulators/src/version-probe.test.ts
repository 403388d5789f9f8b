import { describe, expect, it } from '@jest/globals';
import { readVersion, VERSION_PROBES } from './version-probe.js';

describe('the version of an executable', () => {
  it.each([
    ['simA', 'SHIELD-HIT12A\n\n Version: v1.0.1\n Build date: today 2024', '1.0.1'],
    ['simA', 'SHIELD-HIT12A 0.9.4', '0.9.4'],
    ['simB', ' FLUKA Version 4-4.0 installed', '4-4.0'],
    ['simB', 'FLUKA 2024.1.3.', '2024.1.3'],
    ['simC', ' Geant4 version Name: geant4-11-02-patch-01    (16-February-2024)', '11-02-patch-01'],
    ['simC', 'g4gdml version 1.2', '1.2'],
    ['simC', 'Geant4 version 11.4.1 own tables - not for claims\n', '11.4.1 own tables - not for claims'],
    ['simD', 'Welcome to TOPAS, Version 3.9 (Geant4 10.7)', '3.9'],
    ['simD', 'TOPAS Version: 4.0.0\n', '4.0.0'],
  ] as const)('of %s is read in %j', (simType, printed, version) => {
    expect(readVersion(printed, VERSION_PROBES[simType].pattern)).toBe(version);
  });

  it('is not known where the banner says something else', () => {
    for (const { pattern } of Object.values(VERSION_PROBES)) {
      expect(readVersion('usage: program [options]\nunknown option --version\n', pattern)).toBe('');
    }
  });

  it('is short and harmless whatever a pattern of the operator finds', () => {
    expect(readVersion(`v${'1'.repeat(100)}`, /v(\d+)/)).toBe('1'.repeat(60));
    expect(readVersion('<b>1</b>', /(.*)/)).toBe('');
    expect(readVersion('1.0', /\d/)).toBe('');
  });
});
