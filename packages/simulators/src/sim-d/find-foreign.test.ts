import { describe, expect, it } from '@jest/globals';
import { findForeign } from './find-foreign.js';

const find = (text: string, others = {}) =>
  findForeign({ 'main.txt': `i:So/Demo/NumberOfHistoriesInRun = 10\n${text}`, 'beam.txt': 'a text', ...others });

describe('a deck of simD', () => {
  it.each([
    ['includeFile = beam.txt /etc/passwd', /^includeFile names \/etc\/passwd, which is not in the deck/],
    ['includeFile = beam.txt ../x.txt', /names \.\.\/x\.txt/],
    ['includeFile = beam.txt missing.txt # later', /names missing\.txt/],
    ['includeFile = beam.txt\n  /etc/passwd', /names \/etc\/passwd/],
    ['s:Ts/ShellCommand = "id"', /^Ts\/ShellCommand runs commands/],
    ['b:Ts/PauseBeforeInit = "True"', /^Ts\/PauseBeforeInit/],
    ['Ts/PauseBeforeInit = "True"', /^Ts\/PauseBeforeInit waits/],
    ['TS/PAUSEBEFOREQUIT = "1"', /^TS\/PAUSEBEFOREQUIT waits/],
    ['Ts/UseQt =\n  "True"', /^Ts\/UseQt waits/],
    ['bc:Ts/UseQt = "T"', /^Ts\/UseQt waits/],
    ['sv:Ts/RunScript = 1 "x"', /^Ts\/RunScript/],
    ['s:Ts/ExtraSequenceFiles = "more.txt"', /histories are not counted/],
    ['s:Ts/SeedFile = "seed.txt"', /same random numbers/],
    ['Ts/FindSeedForHistory = 7', /simulates nothing/],
    ['Ts/RestoreResultsFromFile = "True"', /simulates nothing/],
    ['d:Sc/x/RepeatSequenceUntilRelativeStandardDeviationLessThan = 0.1', /repeats the run/],
    ['s:Ge/Python/Module = "x"', /starts Python/],
    ['s:Sc/x/Filter = "hook.py"', /starts Python/],
    ['s:Ge/Patient/InputDirectory = "/home/me/dicom"', /^Ge\/Patient\/InputDirectory names \/home\/me\/dicom/],
    ['s:Sc/x/OutputFile = "../../x"', /names \.\.\/\.\.\/x/],
    ['s:Sc/x/OutputFile = "." + Sc/x/Rest\ns:Sc/x/Rest = "./x"', /names \.\.\/x/],
    ['Ts/G4DataDirectory = "~/data"', /names ~\/data/],
    ['s:Sc/x/Quantity = "PhaseSpace"', /asks for a phase space/],
    ['s:Sc/x/OutputType = "ROOT"', /must be csv or binary/],
  ])('is refused for %j', (text, message) => {
    expect(find(text)).toEqual([{ file: 'main.txt', line: 2, message: expect.stringMatching(message) }]);
  });

  it('is refused for what an included file sets without a type, and is taken where the including file sets it back', () => {
    const others = { 'beam.txt': '# pause\nTs/PauseBeforeQuit = "True"\n' };
    expect(find('includeFile = beam.txt', others)).toEqual([
      { file: 'beam.txt', line: 2, message: expect.stringMatching(/^Ts\/PauseBeforeQuit waits/) },
    ]);
    expect(find('includeFile = beam.txt\nTs/PauseBeforeQuit = "False"', others)).toEqual([]);
  });

  it.each([
    'includeFile = beam.txt',
    'includeFile = ./beam.txt TOPAS_Built_In_Defaults',
    'b:Ts/PauseBeforeQuit = "False" # no',
    'includeFile = beam.txt other.txt # both',
    '# includeFile = /etc/passwd',
    'i:Ts/Seed = 4',
    's:Sc/x/OutputFile = "out" # was "/tmp/out"',
    's:Sc/x/Component = "Patient/Skull"',
    's:Sc/x/OutputType = "CSV"',
    'd:Ge/a/HLX = 3 * Ge/b/HLX mm',
  ])('is taken with %j', (text) => {
    expect(find(text, { 'other.txt': 'a text, too' })).toEqual([]);
  });
});
