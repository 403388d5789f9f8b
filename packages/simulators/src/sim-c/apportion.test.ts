import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { apportion, readPrimaries } from './apportion.js';
import { command } from './command.js';
import { executeMacro } from './macro/execute-macro.js';
import { progress } from './progress.js';

const share = { primaries: 2500, firstHistory: 5000, seed: '42' };
const MACRO = '/run/initialize\n# /run/beamOn 3\n/random/setSeeds 1 2\n/run/beamOn  10000  # all\n/score/list';
const deck = { 'geometry.gdml': '<gdml/>', 'run.mac': MACRO, 'setup.mac': '/gps/verbose 0' };

describe('apportion', () => {
  it('sets beamOn, seeds right before it and the progress interval, and touches nothing else', () => {
    const task = apportion(deck, share);
    const lines = task['run.mac']?.split('\n') ?? [];
    expect(lines).toEqual([
      '/run/initialize',
      '# /run/beamOn 3',
      '/random/setSeeds 1 2',
      expect.stringMatching(/^\/random\/setSeeds [1-9]\d* [1-9]\d*$/),
      '/run/printProgress 25',
      '/run/verbose 1',
      '/run/beamOn  2500  # all',
      '/score/list',
    ]);
    expect({ ...task, 'run.mac': MACRO }).toEqual(deck);
  });

  it("keeps the user's own progress interval, and lets the run say how many histories it had", () => {
    const macro = '/run/initialize\n/run/printProgress 7\n/run/verbose 0\n/run/beamOn 10';
    const task = apportion({ 'run.mac': macro }, share)['run.mac'];
    expect(task).not.toContain('printProgress 25');
    expect(task).toMatch(/\/run\/verbose 1\n\/run\/beamOn 2500$/);
    const talking = apportion({ 'run.mac': macro.replace('verbose 0', 'verbose 2') }, share)['run.mac'];
    expect(talking).not.toContain('verbose 1');
  });

  it('gives tasks of one job two seeds of their own each', () => {
    const seeds = [0, 2500, 5000].flatMap((firstHistory) =>
      /setSeeds (\d+) (\d+)\n\/run\/printProgress/
        .exec(apportion(deck, { ...share, firstHistory })['run.mac'] ?? '')
        ?.slice(1),
    );
    expect(new Set(seeds).size).toBe(6);
    expect(seeds.every((seed) => Number(seed) >= 1 && Number(seed) < 2 ** 31)).toBe(true);
  });

  it.each([
    ['without a macro', {}],
    ['without beamOn', { 'run.mac': '/run/initialize' }],
    ['with two beamOn', { 'run.mac': '/run/beamOn 1\n/run/beamOn 1' }],
    ['with two macros that run', { 'a.mac': '/run/beamOn 1', 'b.mac': '/run/beamOn 1' }],
    ['with no number of histories', { 'a.mac': '/run/beamOn {n}' }],
    ['with a number that the simulator does not read', { 'a.mac': '/run/beamOn 1E6' }],
    ['with a number that goes on', { 'a.mac': '/run/beamOn 1_000' }],
    ['with a unit behind a number', { 'a.mac': '/run/beamOn 1000k' }],
    ['with a separator that is none', { 'a.mac': '/run/beamOn 1000;0' }],
    ['with doubled slashes in a second run', { 'a.mac': '/run/beamOn 1\n/run//beamOn 1' }],
    ['with a macro after each event', { 'a.mac': '/run/beamOn 10 b.mac', 'b.mac': '' }],
    ['with a run behind a condition', { 'a.mac': '/control/doif 1 == 1 /run/beamOn 10' }],
    ['with a run behind the end', { 'a.mac': 'exit\n/run/beamOn 10' }],
    ['that executes itself', { 'a.mac': '/control/execute b.mac', 'b.mac': '/control/execute c.mac', 'c.mac': '/control/execute b.mac' }], // biome-ignore format: one line
  ])('refuses a deck %s', (_, files) => {
    expect(() => apportion(files, share)).toThrow(expect.objectContaining({ reason: 'DECK_INVALID' }));
    expect(() => readPrimaries(files)).toThrow(expect.objectContaining({ reason: 'DECK_INVALID' }));
  });

  it('refuses a share that the simulator cannot count', () => {
    expect(() => apportion(deck, { ...share, primaries: 2 ** 31 })).toThrow(/use more tasks/);
    expect(apportion(deck, { ...share, primaries: 2 ** 31 - 1 })['run.mac']).toContain('/run/beamOn  2147483647');
  });
});

describe('a deck of several macros', () => {
  const SETUP = '/run/initialize\n/gps/particle proton\n';
  const main = `${SETUP}/control/execute beam.mac\n/score/dumpAllQuantitiesToFile b out.txt`;

  it('is started by the one that executes the run, and has its share where the run stands', () => {
    const files = { 'geometry.gdml': '<gdml/>', 'beam.mac': '/run/beamOn 1000', 'main.mac': main };
    expect(readPrimaries(files)).toBe(1000);
    expect(command({ executable: 'g4' }, '/w', files).args).toContain('main.mac');
    const task = apportion(files, share);
    expect(task['main.mac']).toBe(main);
    expect(task['beam.mac']).toMatch(/^\/random\/setSeeds \d+ \d+\n[^]*\n\/run\/beamOn 2500$/);
    expect(readPrimaries(task)).toBe(2500);
  });

  it('may have its number from an alias, a condition or a sum', () => {
    const run = '/control/alias n 500\n/control/multiply n {n} 2\n/control/if {n} > 999 beam.mac';
    const files = { 'main.mac': `${SETUP}${run}`, 'beam.mac': '/run/beamOn \\\n  {n}' };
    expect(readPrimaries(files)).toBe(1000);
    expect(apportion(files, share)['beam.mac']).toMatch(/\n\/run\/beamOn 2500$/);
  });

  it('may prepare itself by a run of nothing, and have macros that nobody executes', () => {
    const files = { 'main.mac': `${SETUP}/run/beamOn 0\n/run/beamOn 70`, 'vis.mac': '/gps/verbose {x}' };
    expect(readPrimaries(files)).toBe(70);
    expect(apportion(files, share)['main.mac']).toContain('/run/beamOn 0\n');
  });

  it('may put the name of a macro together, or quote what executes it', () => {
    const run = '/gps/ene/mono {e} MeV\n/run/beamOn 100';
    for (const line of [
      '/control/alias m beam\n/control/execute {m}.mac',
      '/control/doif 1 == 1 "/control/execute beam.mac"',
    ]) {
      const files = { 'beam.mac': run, 'main.mac': `/control/alias e 70\n${line}` };
      expect(readPrimaries(files)).toBe(100);
      expect(command({ executable: 'g4' }, '/w', { ...files, 'g.gdml': '' }).args).toContain('main.mac');
    }
  });

  it('may pass through a loop once', () => {
    const files = {
      'main.mac': '/control/loop one.mac e 70 70 10',
      'one.mac': '/gps/ene/mono {e} MeV\n/run/beamOn 100',
    };
    expect(readPrimaries(files)).toBe(100);
  });

  it.each([
    ['loop', '/control/loop one.mac e 70 150 10', 9],
    ['loop without a step', '/control/loop one.mac e 1 3', 3],
    ['loop downwards', '/control/loop one.mac e 3 1 -1', 3],
    ['foreach', '/control/foreach one.mac e "70 80 90"', 3],
    ['second execution', '/control/execute one.mac\n/control/execute one.mac', 2],
  ])('is refused for a %s, by its line, since scores begin anew with each run', (_, line, times) => {
    const files = { 'main.mac': `/control/alias e 1\n${line}`, 'one.mac': '/gps/ene/mono {e} MeV\n/run/beamOn 100' };
    expect(() => readPrimaries(files)).toThrow(
      new RegExp(`/one\\.mac: line 2: /run/beamOn is executed ${times} times`),
    );
  });

  it.each([
    ['/control/loop one.mac i 1 1 0', /more than 100000/],
    ['/control/loop one.mac i 0 1000000000 1', /more than 100000/],
    ['/control/alias a x\n/control/loop two.mac i 1 50', /more than 4096 characters/],
    ['/control/loop one.mac i 0 {x}', /line 1: uses \{x\}/],
    ['/control/loop one.mac i 0 many', /line 1: must have a number, not many/],
    ['/control/if 1 ~ 1 one.mac', /must compare by/],
    ['/gps/verbose {', /brace that is not closed/],
    [`/gps/verbose ${' '.repeat(5000)}`, /more characters than the simulator reads/],
  ])('is refused for %j, in a short time', (line, message) => {
    const files = {
      'main.mac': `${line}\n/run/beamOn 1`,
      'one.mac': '/gps/verbose 0',
      'two.mac': '/control/alias a {a}{a}',
    };
    expect(() => readPrimaries(files)).toThrow(message);
  });
});

describe('what a macro executes', () => {
  /** A deck whose runs are counted as it is made: macros that set aliases, execute each other and loop. */
  const decks = fc
    .array(
      fc.array(fc.record({ kind: fc.nat(4), target: fc.nat(), count: fc.integer({ min: 1, max: 3 }) }), {
        maxLength: 4,
      }),
      {
        minLength: 1,
        maxLength: 4,
      },
    )
    .map((macros) => {
      const runs: number[] = [];
      const texts = macros.map((steps, index) => {
        let own = 0;
        const lines = steps.map(({ kind, target, count }) => {
          // only macros that are made already can be executed
          const other = index === 0 ? undefined : target % index;
          const name = `m${other}.mac`;
          const inner = other === undefined ? 0 : (runs[other] ?? 0);
          if (kind === 0 || other === undefined) {
            own += 1;
            return kind % 2 === 0 ? '/run/beamOn 5' : ' /run//beamOn  5 # five';
          }
          if (kind === 1) {
            own += inner;
            return `/control/execute ${name}`;
          }
          if (kind === 2) {
            own += count * inner;
            return `/control/loop ${name} i 1 ${count}`;
          }
          if (kind === 3) {
            own += count * inner;
            return `/control/foreach ${name} i "${'x '.repeat(count)}"`;
          }
          own += count > 1 ? inner : 0;
          return `/control/if ${count} > 1 ${name}`;
        });
        runs.push(own);
        return lines.join('\n');
      });
      return { texts, runs };
    });

  it('is counted as it was made, whatever executes what', () => {
    fc.assert(
      fc.property(decks, ({ texts, runs }) => {
        const files = Object.fromEntries(texts.map((text, index) => [`m${index}.mac`, text]));
        const last = texts.length - 1;
        const commands = executeMacro(files, `m${last}.mac`);
        expect(commands.filter(({ name }) => name === '/run/beamOn')).toHaveLength(runs[last] ?? 0);
      }),
    );
  });
});

describe('command and progress', () => {
  it('names geometry and macro', () => {
    expect(command({ executable: 'g4gdml' }, '/w', deck).args).toEqual([
      '--gdml',
      'geometry.gdml',
      '--macro',
      'run.mac',
      '--threads',
      '1',
    ]);
  });

  it('reads lines of progress and no others', () => {
    expect(progress('--> Event 120 starts.')).toEqual({ done: 120 });
    expect(progress('G4WT0 > --> Event 120 starts with initial seeds (1,2).')).toEqual({ done: 120 });
    expect(progress('  Number of events processed : 1000')).toEqual({ done: 1000 });
    expect(progress('### Run 0 starts.')).toBeUndefined();
  });
});
