import { describe, expect, it } from '@jest/globals';
import { findForeign } from './find-foreign.js';

const DECK = { 'main.txt': '', 'beam.txt': '' };
const find = (text: string, name = 'main.txt') => findForeign(name, text.split('\n'), DECK);

describe('a deck of simD', () => {
  it.each([
    ['includeFile = /etc/passwd', /^includeFile names \/etc\/passwd, which is not in the deck/],
    ['includeFile = beam.txt ../x.txt', /names \.\.\/x\.txt/],
    ['includeFile = missing.txt # later', /names missing\.txt/],
    ['s:Ts/ShellCommand = "id"', /^s:Ts\/ShellCommand runs commands/],
    ['b:Ts/PauseBeforeInit = "True"', /^b:Ts\/PauseBeforeInit/],
    ['sv:Ts/RunScript = 1 "x"', /^sv:Ts\/RunScript/],
    ['s:Ge/Python/Module = "x"', /starts Python/],
    ['s:Sc/x/Filter = "hook.py"', /starts Python/],
    ['s:Ge/Patient/InputDirectory = "/home/me/dicom"', /^s:Ge\/Patient\/InputDirectory names \/home\/me\/dicom/],
    ['s:Sc/x/OutputFile = "../../x"', /names \.\.\/\.\.\/x/],
    ['s:Ts/G4DataDirectory = "~/data"', /names ~\/data/],
  ])('is refused for %j', (text, message) => {
    expect(find(`i:So/Demo/NumberOfHistoriesInRun = 10\n${text}`)).toEqual([
      { line: 2, message: expect.stringMatching(message) },
    ]);
  });

  it.each([
    'includeFile = beam.txt',
    'b:Ts/PauseBeforeQuit = "False" # no',
    'includeFile = beam.txt main.txt # both',
    '# includeFile = /etc/passwd',
    'i:Ts/Seed = 4',
    's:Sc/x/OutputFile = "out" # was "/tmp/out"',
    's:Sc/x/Component = "Patient/Skull"',
    'd:Ge/a/HLX = 3 * Ge/b/HLX mm',
  ])('is taken with %j', (text) => {
    expect(find(text)).toEqual([]);
  });
});
