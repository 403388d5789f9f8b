import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ConversionError } from '../src/conversion-error.js';
import type { Project } from '../src/project/project.js';
import { readProject } from '../src/project/read-project.js';
import { convert as convertReference } from '../src/reference/convert.js';
import { convert as convertSimA } from '../src/sim-a/deck/convert.js';
import { convert as convertSimB } from '../src/sim-b/deck/convert.js';
import { convert as convertSimC } from '../src/sim-c/deck/convert.js';
import { convert as convertSimD } from '../src/sim-d/deck/convert.js';
import { buildProject, IDS } from './build-project.js';

/** JSON pointers of everything in a value. */
function listPointers(json: unknown, prefix = ''): string[] {
  if (typeof json !== 'object' || json === null) return [prefix];
  return [prefix, ...Object.entries(json).flatMap(([key, value]) => listPointers(value, `${prefix}/${key}`))];
}

const POINTERS = listPointers(buildProject()).filter((pointer) => pointer !== '');

/** Values that are wrong in most places, right in some, and extreme in a few. */
const values = fc.oneof(
  fc.constantFrom(
    undefined,
    null,
    true,
    '',
    0,
    -1,
    1,
    1e308,
    -1e308,
    5e-324,
    2 ** 53,
    Number.POSITIVE_INFINITY,
    [],
    {},
    'constructor',
  ),
  fc.constantFrom(...Object.values(IDS), 'Zone', 'All', 'Mesh', 'BoxGeometry', 'geant4', 'Flat square', 'subtraction'),
  fc.jsonValue({ maxDepth: 3 }).map((value): unknown => value),
);

describe.each([
  ['the built-in engine', (project: Project) => convertReference(project, 'simA')],
  ['simA', convertSimA],
  ['simB', convertSimB],
  ['simC', convertSimC],
  ['simD', convertSimD],
])('any project, for %s,', (_name, convert) => {
  it.each(POINTERS.filter((pointer) => /keyword|Type|type|unit|Unit|variant|mode|operator|name$/.test(pointer)))(
    'takes no word that every JavaScript object knows for one of its own, in %s',
    (pointer) => {
      for (const word of ['constructor', 'toString', '__proto__']) {
        try {
          const { files } = convert(readProject(buildProject({ [pointer]: word })));
          expect(Object.values(files).join()).not.toMatch(/undefined|native code|object Object/);
        } catch (error) {
          expect(error).toBeInstanceOf(ConversionError);
        }
      }
    },
  );

  it('is converted to finite numbers or refused with a typed error, whatever stands in its place of some values', () => {
    let converted = 0;
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...POINTERS), values), { minLength: 1, maxLength: 3 }),
        (changes) => {
          // The deepest first: a pointer must still lead somewhere.
          const ordered = changes.toSorted(([one], [other]) => other.split('/').length - one.split('/').length);
          try {
            const { files } = convert(readProject(buildProject(Object.fromEntries(ordered))));
            expect(Object.values(files).join()).not.toMatch(/null|NaN|Infinity|undefined/);
            converted += 1;
          } catch (error) {
            expect(error).toBeInstanceOf(ConversionError);
            const { items, reason } = error as ConversionError;
            expect(items.length).toBeGreaterThan(0);
            // A problem of the wrong shape is the converter's fault, and would hide what else is unsupported.
            if (reason === 'PROJECT_UNSUPPORTED')
              expect(items.map((item) => item.message).join()).not.toMatch(/expected/);
          }
        },
      ),
      { numRuns: 3000 },
    );
    expect(converted).toBeGreaterThan(200);
  });
});
