import { describe, expect, it } from '@jest/globals';
import { findDriver } from '../index.js';

/*
 * Each scanner of users' decks at a large size, on what would make it look again and again: beginnings without an end, lines without text,
 * chains of names. What takes as long as the text is has done with any of them in a few hundredths of a second; what takes the square of
 * it needs seconds.
 */
const CHARS = 100_000;
const SECONDS_MAX = 2;

const REPEATED = [
  '\n',
  '\r',
  '\t',
  ' ',
  '\\\n',
  '_\n',
  '#\n',
  '"',
  "'",
  '{',
  '{a',
  '{}',
  '(',
  '=',
  '/',
  '//',
  '..',
  '../',
  '~',
  '&',
  '0',
  '1e',
  'a',
  'a.b,',
  '<',
  '<a ',
  '<a b="',
  '<!--',
  '<![CDATA[',
  '<?',
  '<!ENTITY PUBLIC "',
  '<!ENTITY a "<!ENTITY b \'',
  '<a "<b \'<c ',
  '#include ',
  '#if a\n',
  '#define a b\n',
  'SCRATCH ',
  'OPEN\n',
  'START 1\n',
  'FREE\n',
  'GEOBEGIN\n',
  '/control/alias a {a}\n',
  '/control/alias a {b}{b}\n',
  '/control/loop a b 1 100000\n',
  '/run/beamOn {a}\n',
  'includeFile = a\n',
  's:Ge/a/b = "c"\n',
  'i:So/a/NumberOfHistoriesInRun = So/a/NumberOfHistoriesInRun\n',
];

const DECKS = {
  simA: { 'beam.dat': 'NSTAT 100 10\n', 'geo.dat': ' ', 'mat.dat': ' ', 'detect.dat': ' ' },
  simB: { 'fl_sim.inp': 'START          2500.\nSTOP\n', 'more.inc': '' },
  simC: { 'run.mac': '/run/beamOn 10\n', 'geometry.gdml': '<gdml/>', 'more.mac': '' },
  simD: { 'topas_config.txt': 'i:So/a/NumberOfHistoriesInRun = 10\n', 'more.txt': '' },
} as const;

describe.each(Object.entries(DECKS))('a deck of %s', (simulator, deck) => {
  const driver = findDriver(simulator as keyof typeof DECKS, 'files', new Map([[simulator, '']]) as never);

  it.each(Object.entries<string>(deck))('is scanned in time that grows with its size: %s', (name, text) => {
    const slow = REPEATED.flatMap((part) => {
      const long = part.repeat(CHARS / part.length);
      const begun = process.cpuUsage();
      try {
        driver.adoptFiles({ ...deck, [name]: `${text}${long}x\n` }, 'omit');
      } catch {
        // refused, or not: how long it takes is what counts
      }
      const { user, system } = process.cpuUsage(begun);
      return (user + system) / 1e6 > SECONDS_MAX ? [part] : [];
    });
    expect(slow).toEqual([]);
  });
});
