import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { splitPrimaries } from '../split-primaries.js';
import { apportion, findTaskPrimariesMax, readPrimaries } from './apportion.js';
import { command } from './command.js';
import { listEvents } from './histories.js';
import { countHistories, progress } from './progress.js';

const share = { primaries: 2500, firstHistory: 5000, seed: '42' };
const MAIN = [
  '# i:Ts/Seed = 3',
  'i:Ts/Seed = 1 # mine',
  's:Ge/World/Material = "Vacuum"',
  's:So/Beam/Type = "Beam"',
  'i:So/Beam/NumberOfHistoriesInRun = 10000 # all',
].join('\n');
const SOURCES = 's:So/A/Type = "Beam"\ns:So/B/Type = "Beam"\n';
const added = (interval: number) => [
  expect.stringMatching(/^i:Ts\/Seed = [1-9]\d*$/),
  'i:Ts/NumberOfThreads = 1',
  `i:Ts/ShowHistoryCountAtInterval = ${interval}`,
  '',
];

describe('apportion', () => {
  it('sets histories, seed, threads and interval, and touches nothing else', () => {
    const task = apportion({ 'topas_config.txt': MAIN, 'table.txt': '1 2 3' }, share);
    expect(task['topas_config.txt']?.split('\n')).toEqual([
      '# i:Ts/Seed = 3',
      expect.stringMatching(/^i:Ts\/Seed = [1-9]\d* # mine$/),
      's:Ge/World/Material = "Vacuum"',
      's:So/Beam/Type = "Beam"',
      'i:So/Beam/NumberOfHistoriesInRun = 2500 # all',
      'i:Ts/NumberOfThreads = 1',
      'i:Ts/ShowHistoryCountAtInterval = 25',
      '',
    ]);
    expect(task['table.txt']).toBe('1 2 3');
  });

  it('shares histories among sources in their proportions, to the last one, in the file that is run', () => {
    const files = {
      'main.txt': `includeFile = a.txt b.tps\ni:Ts/NumberOfThreads = 8\n${SOURCES}`,
      'a.txt': 'i:So/A/NumberOfHistoriesInRun = 700',
      'b.tps': 'ic:so/b/numberofhistoriesinrun = 300',
    };
    expect(readPrimaries(files)).toBe(1000);
    const task = apportion(files, { ...share, primaries: 333 });
    expect({ ...task, 'main.txt': files['main.txt'] }).toEqual(files);
    expect(task['main.txt']?.split('\n')).toEqual([
      'includeFile = a.txt b.tps',
      'i:Ts/NumberOfThreads = 1',
      's:So/A/Type = "Beam"',
      's:So/B/Type = "Beam"',
      'i:So/A/NumberOfHistoriesInRun = 233',
      'ic:so/b/numberofhistoriesinrun = 100',
      expect.stringMatching(/^i:Ts\/Seed = [1-9]\d*$/),
      'i:Ts/ShowHistoryCountAtInterval = 2',
      '',
    ]);
    expect(listEvents(task)).toEqual([233]);
    expect(command({ executable: 'topas' }, '/w', files).args).toEqual(['main.txt']);
  });

  it('puts a value on several lines on one', () => {
    const main = `${SOURCES}i:So/A/NumberOfHistoriesInRun = # so many\n\t# more\n  70\ni:Ts/Seed = 5`;
    const task = apportion({ 'main.txt': main }, { ...share, primaries: 7 })['main.txt'] ?? '';
    expect(task).toMatch(/NumberOfHistoriesInRun = 7 # so many\ni:Ts\/Seed = \d+\n/);
    expect(readPrimaries({ 'main.txt': task })).toBe(7);
  });

  it('refuses a share that a source cannot have', () => {
    const files = {
      'main.txt': `${SOURCES}i:So/A/NumberOfHistoriesInRun = 2000000000\ni:So/B/NumberOfHistoriesInRun = 1`,
    };
    expect(readPrimaries(files)).toBe(2_000_000_001);
    expect(findTaskPrimariesMax(files)).toBe(999_999_999);
    expect(() => apportion(files, { ...share, primaries: 1_500_000_000 })).toThrow(/use more tasks/);
    expect(apportion(files, { ...share, primaries: 999_999_999 })['main.txt']).toContain('= 999999998\n');
  });

  it.each([
    ['without parameters', { 'a.txt': 'text' }],
    ['without a source', { 'a.txt': 'i:Ts/Seed = 1' }],
    ['with a source without a type', { 'a.txt': 'i:So/A/NumberOfHistoriesInRun = 10' }],
    ['with two main files', { 'a.txt': MAIN, 'b.txt': MAIN }],
    ['with no histories', { 'a.txt': `${SOURCES}i:So/A/NumberOfHistoriesInRun = 0` }],
  ])('refuses a deck %s', (_, files) => {
    expect(() => readPrimaries(files)).toThrow(expect.objectContaining({ reason: 'DECK_INVALID' }));
  });
});

describe('a deck that moves while the beam is on', () => {
  const moving = (histories: string, timeline = 'd:Tf/TimelineEnd = 20. s') =>
    [
      '# a target that moves',
      timeline,
      'i:Tf/NumberOfSequentialTimes = 20',
      's:So/Pencil/Type = "Beam"',
      histories,
      '',
    ].join('\n');
  const fixed = { 'run.txt': moving('i:So/Pencil/NumberOfHistoriesInRun = 50') };

  it('has its histories at every time', () => {
    expect(readPrimaries(fixed)).toBe(1000);
    const task = apportion(fixed, { ...share, primaries: 500, firstHistory: 500 });
    expect(task['run.txt']?.split('\n').slice(4)).toEqual(['i:So/Pencil/NumberOfHistoriesInRun = 25', ...added(5)]);
  });

  it('has every history of the deck in one task or another, however many tasks there are', () => {
    const steps = [...Array(20).keys()];
    const values = steps.map((step) => 31 + 7 * (step % 4));
    const stepped = `s:Tf/N/Function = "Step"\ndv:Tf/N/Times = 20 ${steps.map((step) => step + 1).join(' ')} s\niv:Tf/N/Values = 20 ${values.join(' ')}\n`;
    const decks: [Record<string, string>, number[]][] = [
      [fixed, steps.map(() => 50)],
      [{ 'run.txt': moving(`${stepped}i:So/Pencil/NumberOfHistoriesInRun = Tf/N/Value`) }, values],
      [
        { 'run.txt': moving(`${stepped}i:So/Pencil/NumberOfHistoriesInRun = 2 * Tf/N/Value`) },
        values.map((value) => 2 * value),
      ],
    ];
    for (const [deck, atTimes] of decks) {
      const total = atTimes.reduce((sum, count) => sum + count, 0);
      expect(readPrimaries(deck)).toBe(total);
      for (const tasks of [1, 2, 3, 4, 7, 19]) {
        const sums = steps.map(() => 0);
        for (const { primaries, firstHistory } of splitPrimaries(total, tasks)) {
          const task = apportion(deck, { ...share, primaries, firstHistory });
          expect(readPrimaries(task)).toBe(primaries);
          for (const [step, count] of listEvents(task).entries()) sums[step] = (sums[step] ?? 0) + count;
        }
        expect(sums).toEqual(atTimes);
      }
    }
  });

  it('has one run where its times are all the same', () => {
    const deck = { 'run.txt': moving('i:So/Pencil/NumberOfHistoriesInRun = 50', '') };
    const task = apportion(deck, { ...share, primaries: 333, firstHistory: 0 });
    expect(task['run.txt']).toMatch(/NumberOfSequentialTimes = 1\n[^]*NumberOfHistoriesInRun = 333\n/);
  });

  it.each([
    ['random times', 'b:Tf/RandomizeTimeDistribution = "True"', /line 5: .*random times/],
    [
      'histories that follow another function',
      's:Tf/F/Function = "Linear"\ni:So/Pencil/NumberOfHistoriesInRun = Tf/F/Value',
      /line 6: .*changes in time/,
    ],
    [
      'histories of a parameter that is not set',
      'i:So/Pencil/NumberOfHistoriesInRun = So/Other',
      /line 5: .*which is not set/,
    ],
    [
      'a parameter that refers to itself',
      'i:Ge/N = Ge/M\ni:Ge/M = Ge/N\ni:So/Pencil/NumberOfHistoriesInRun = Ge/N',
      /refers to itself/,
    ],
    [
      'histories that are no whole number',
      'i:So/Pencil/NumberOfHistoriesInRun = 1e3',
      /line 5: .*1e3, which is no whole number/,
    ],
    ['digits in groups', 'i:So/Pencil/NumberOfHistoriesInRun = 1_000', /no whole number/],
    ['a unit behind a number', 'i:So/Pencil/NumberOfHistoriesInRun = 1000k', /no whole number/],
    ['a separator that is none', 'i:So/Pencil/NumberOfHistoriesInRun = 1000;0', /no whole number/],
    ['more than the simulator counts', 'i:So/Pencil/NumberOfHistoriesInRun = 3000000000', /counts to 2147483647/],
    ['a parameter that is set twice', 'i:Ts/Seed = 1\nTS/SEED = 2', /line 6: .*set before in the same file/],
    ['a type that is none', 'x:Ts/Seed = 1', /line 5: .*no type "x"/],
    ['a phase space', 's:So/P/Type = "PhaseSpace"', /line 5: .*phase space/],
    [
      'a time that ends before it begins',
      'd:Tf/TimelineStart = 1 h\ni:So/Pencil/NumberOfHistoriesInRun = 1',
      /line 2: .*must not be before/,
    ],
    ['no time', 'Tf/TimelineStart = 5 apples\ni:So/Pencil/NumberOfHistoriesInRun = 1', /line 5: .*cannot be resolved/],
  ])('is refused with %s, by its line', (_, line, message) => {
    expect(() => readPrimaries({ 'run.txt': moving(line) })).toThrow(message);
  });
});

describe('a deck of several files', () => {
  const base = ['s:So/Pencil/Type = "Beam"', 'i:So/Pencil/NumberOfHistoriesInRun = 10', ''].join('\n');

  it.each([
    'i:So/Pencil/NumberOfHistoriesInRun',
    'So/Pencil/NumberOfHistoriesInRun',
    'SO/PENCIL/numberofhistoriesinrun',
    'I:so/pencil/NumberOfHistoriesInRun',
  ])('has the number of the file that is run, set by %s', (name) => {
    const files = { 'run.txt': `includeFile = base.txt\n${name} = 1000 # today\n`, 'base.txt': base };
    expect(readPrimaries(files)).toBe(1000);
    const tasks = splitPrimaries(1000, 4).map((one) => apportion(files, { ...share, ...one }));
    for (const task of tasks) {
      expect(task['base.txt']).toBe(base);
      expect(task['run.txt']?.split('\n').slice(0, 2)).toEqual(['includeFile = base.txt', `${name} = 250 # today`]);
    }
    expect(new Set(tasks.map((task) => task['run.txt'])).size).toBe(4);
  });

  it('gets what it does not set itself at its end, under the name and type that the included file has', () => {
    const files = { 'run.txt': 'includeFile = mid.txt', 'mid.txt': 'includeFile = base.txt\nSo/Pencil/NumberOfHistoriesInRun = 5 * InheritedValue', 'base.txt': base }; // biome-ignore format: one line
    expect(readPrimaries(files)).toBe(50);
    expect(apportion(files, { ...share, primaries: 20, firstHistory: 0 })['run.txt']?.split('\n')).toEqual([
      'includeFile = mid.txt',
      'i:So/Pencil/NumberOfHistoriesInRun = 20',
      ...added(1),
    ]);
  });

  it('is refused where two branches differ, unless the file that includes both decides', () => {
    const files = {
      'run.txt': 'includeFile = a.txt b.txt\n',
      'a.txt': base,
      'b.txt': 'i:So/Pencil/NumberOfHistoriesInRun = 20',
    };
    expect(() => readPrimaries(files)).toThrow(
      /set in two branches, a\.txt, line 2, and b\.txt, line 1: set it in run\.txt/,
    );
    expect(readPrimaries({ ...files, 'run.txt': `${files['run.txt']}So/Pencil/NumberOfHistoriesInRun = 30` })).toBe(30);
    const both = { ...files, 'b.txt': 'includeFile = a.txt' };
    expect(readPrimaries(both)).toBe(10);
  });

  it('is refused where a file includes itself', () => {
    expect(() =>
      readPrimaries({
        'run.txt': 'includeFile = a.txt',
        'a.txt': 'includeFile = b.txt',
        'b.txt': 'includeFile = a.txt',
      }),
    ).toThrow(/\/b\.txt: line 1: a\.txt includes itself/);
  });
});

describe('the parameters of a deck', () => {
  const keys = ['A', 'B', 'C'];
  /** Files of a chain, each of which includes the one before it and sets some of the parameters, in its own way. */
  const chains = fc.array(
    fc.array(fc.record({ key: fc.constantFrom(...keys), count: fc.nat(50), form: fc.nat(3), isLower: fc.boolean() }), {
      maxLength: 3,
    }),
    { minLength: 1, maxLength: 5 },
  );

  it('are those that the last file of a chain sets, whatever the spelling, and tasks add up to them', () => {
    fc.assert(
      fc.property(chains, fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 5 }), (chain, times, tasks) => {
        // what the chain means: each file in turn
        const counts = new Map(keys.map((key) => [key, 1]));
        const files: Record<string, string> = {
          'f0.txt': `${keys.map((key) => `s:So/${key}/Type = "Beam"\ni:So/${key}/NumberOfHistoriesInRun = 1\n`).join('')}d:Tf/TimelineEnd = 9 s\ni:Tf/NumberOfSequentialTimes = 1`, // biome-ignore format: one line
        };
        for (const [index, settings] of chain.entries()) {
          const own = new Map(settings.map((one) => [one.key, one]));
          const lines = [...own.values()].map(({ key, count, form, isLower }) => {
            const name = `So/${key}/NumberOfHistoriesInRun`;
            const before = counts.get(key) ?? 0;
            counts.set(key, form === 3 ? before + count : count);
            const value = [String(count), `${count} # of ${before}`, `\n  ${count}`, `InheritedValue + ${count}`][form];
            return `${form % 2 === 0 ? 'i:' : ''}${isLower ? name.toLowerCase() : name} = ${value}`;
          });
          files[`f${index + 1}.txt`] = [`includeFile = f${index}.txt`, ...lines].join('\n');
        }
        files['main.txt'] = `includeFile = f${chain.length}.txt\nTf/NumberOfSequentialTimes = ${times}\n`;
        const total = times * [...counts.values()].reduce((sum, count) => sum + count, 0);
        fc.pre(total >= tasks);
        expect(readPrimaries(files)).toBe(total);
        const shares = splitPrimaries(total, tasks);
        for (const one of shares) {
          const task = apportion(files, { ...share, ...one });
          expect(readPrimaries(task)).toBe(one.primaries);
          expect({ ...task, 'main.txt': '' }).toEqual({ ...files, 'main.txt': '' });
        }
      }),
    );
  });
});

describe('progress', () => {
  it('reads lines of progress and no others', () => {
    expect(progress('Begin processing for Run: 0, History: 120')).toEqual({ done: 120, run: 0 });
    expect(progress('G4WT1 > Begin processing for Run: 3, History: 120')).toEqual({ done: 120, run: 3 });
    expect(progress('TOPAS run sequence complete.')).toBeUndefined();
    expect(countHistories('Particle source Beam 1: Total number of histories: 1000')).toBe(1000);
    expect(countHistories('Total number of histories not scored for this reason: 3')).toBeUndefined();
  });
});
