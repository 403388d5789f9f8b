import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AnsweringCluster, TASK_COUNT } from '../../test/answering-cluster.js';
import type { Command } from '../../test/login-node.js';
import { DENYING_TEXTS, GARBLINGS, LIMITING_TEXTS, PASSING_TEXTS, REFUSING_TEXTS } from '../../test/scheduler-texts.js';
import { fail } from './errors.js';
import type { CommandResult } from './remote-shell.js';
import { markerOf } from './submission.js';

/** What a login node answers in the place of a command's own answer. */
interface Answer {
  readonly kind: keyof typeof KINDS;
  readonly text: string;
  readonly garble: number;
  readonly share: number;
  readonly exitCode: number;
}

type Answering = (command: Command, answer: Answer, node: AnsweringCluster) => CommandResult;

const said = ({ text, garble, share }: Answer): string => GARBLINGS[garble]?.(text, share) ?? text;
const cut = (text: string, share: number): string => text.slice(0, Math.floor(share * text.length));

/** Nothing of them is a refusal of a request. */
const KINDS = {
  'another text, and nothing done': (_, answer) => ({ stdout: '', stderr: said(answer), exitCode: answer.exitCode }),
  'another text, and all done': (command, answer) => {
    command();
    return { stdout: '', stderr: said(answer), exitCode: answer.exitCode };
  },
  'another text on the standard output': (_, answer) => ({
    stdout: said(answer),
    stderr: '',
    exitCode: answer.exitCode,
  }),
  'nothing, and nothing done': () => ({ stdout: '', stderr: '', exitCode: 0 }),
  'nothing, and all done': (command) => ({ ...command(), stdout: '' }),
  'cut off': (command, { share }) => {
    const result = command();
    return { ...result, stdout: cut(result.stdout, share) };
  },
  twice: (command) => {
    const result = command();
    return { ...result, stdout: result.stdout + result.stdout };
  },
  'in another encoding': (command) => {
    const result = command();
    return { ...result, stdout: Buffer.from(result.stdout, 'utf16le').toString('latin1') };
  },
  'behind a greeting': (command, answer) => {
    const result = command();
    return { ...result, stdout: `${said(answer)}\n17\n${result.stdout}` };
  },
  'another exit code': (command, { exitCode }) => ({ ...command(), exitCode }),
  'too late to be heard': (command, { share }, { clock }) => {
    void clock.sleep(share * 25_000).then(command); // sbatch ends by itself after that
    throw fail('COMMAND_TIMED_OUT');
  },
  'broken off before': () => {
    throw fail('COMMAND_LOST');
  },
  'broken off after': (command) => {
    command();
    throw fail('COMMAND_LOST');
  },
  'no command run': () => {
    throw fail('COMMAND_NOT_RUN', { cause: new Error('This account is currently not available.') });
  },
  'an error of a library': () => {
    throw fail('SSH_FAULT', { cause: new Error('Packet length 1466263660 exceeds max length of 35000') });
  },
} satisfies Record<string, Answering>;

const SCHEDULER = /^s(batch|queue|acct|cancel)$/;
const anAnswer = fc.record({
  kind: fc.constantFrom(...(Object.keys(KINDS) as Answer['kind'][])),
  text: fc.constantFrom(...PASSING_TEXTS),
  garble: fc.nat(GARBLINGS.length - 1),
  share: fc.double({ min: 0, max: 0.99, noNaN: true }),
  exitCode: fc.integer({ min: 1, max: 255 }),
});
/** For each of the first commands: what it is answered; undefined: what it says. */
const answers = fc.array(fc.option(anAnswer, { nil: undefined, freq: 2 }), { minLength: 5, maxLength: 60 });

/** One job from its submission to its end with these answers to its first commands. */
async function run(planned: readonly (Answer | undefined)[], cancelAtSeconds?: number): Promise<AnsweringCluster> {
  const on = new AnsweringCluster();
  const left = [...planned];
  on.node.answer = async (name, command) => {
    const answer = left.shift();
    if (answer === undefined) return command();
    const answering: Answering = SCHEDULER.test(name) ? KINDS[answer.kind] : KINDS['broken off before'];
    return answering(command, answer, on);
  };
  await on.accept();
  if (cancelAtSeconds !== undefined) {
    await on.live(cancelAtSeconds);
    await on.cancel();
  }
  await on.live(7_200);
  return on;
}

describe('whatever a login node answers for a while', () => {
  it('a job ends well, says what it waits for, and leaves nothing behind', async () => {
    await fc.assert(
      fc.asyncProperty(answers, async (planned) => {
        const on = await run(planned);
        expect(new Set(on.taskStates.values())).toEqual(new Set(['COMPLETED']));
        expect(on.end).toContain('Nothing more comes from the cluster');
        expect(on.node.completedTasks()).toEqual([1, 2, 3, 4, 5, 6]); // none runs to its end twice
        expect(on.node.openMarkers()).toEqual([]);
        expect(on.silentMs).toBeLessThan(60_000);
        expect(on.waitingReason).toBe('');
      }),
      { numRuns: 150 },
    );
  }, 300_000);

  it('a job that is canceled leaves nothing behind', async () => {
    await fc.assert(
      fc.asyncProperty(answers, fc.integer({ min: 1, max: 120 }), async (planned, cancelAtSeconds) => {
        const on = await run(planned, cancelAtSeconds);
        expect(on.node.openMarkers()).toEqual([]);
        expect([...on.taskStates.values()].filter((state) => state === 'FAILED')).toEqual([]);
      }),
      { numRuns: 100 },
    );
  }, 300_000);
});

describe('an sbatch that was given up', () => {
  it('and comes through after it was called again is canceled, and the one that is known stays', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 31, max: 75 }), async (nth, seconds) => {
        const on = new AnsweringCluster();
        let left = nth;
        on.node.answer = async (name, command) => {
          if (name !== 'sbatch' || left-- !== 0) return command();
          void on.clock.sleep(seconds * 1_000).then(command);
          throw fail('COMMAND_TIMED_OUT');
        };
        await on.accept();
        await on.live(7_200);
        expect(new Set(on.taskStates.values())).toEqual(new Set(['COMPLETED']));
        expect(on.node.completedTasks()).toEqual([1, 2, 3, 4, 5, 6]); // each once
        expect(on.node.openMarkers()).toEqual([]);
      }),
      { numRuns: 30 },
    );
  }, 300_000);
});

describe('what sbatch says', () => {
  const withSbatch = async (texts: readonly string[], ordinal: number): Promise<AnsweringCluster> => {
    const on = new AnsweringCluster();
    const left = [...texts];
    const marker = markerOf(on.jobId, ordinal);
    on.node.answerSubmission = (name) =>
      name === marker && left.length > 0 ? { stdout: '', stderr: left.shift() ?? '', exitCode: 1 } : undefined;
    await on.accept();
    await on.live(7_200);
    return on;
  };

  it.each(REFUSING_TEXTS)('ends a job that is refused, in its own words: %j', async (text) => {
    const on = await withSbatch([text], 1);
    expect(on.end).toMatch(/^SUBMISSION_FAILED: The scheduler refused: /);
    expect(on.log).toContain('The scheduler refused: ');
    expect(on.node.openMarkers()).toEqual([]);
  });

  it.each([...PASSING_TEXTS, ...LIMITING_TEXTS, ...DENYING_TEXTS])(
    'ends no job where it may pass: %j',
    async (text) => {
      for (const ordinal of [1, 2, 0]) {
        const on = await withSbatch([text], ordinal);
        expect(new Set(on.taskStates.values())).toEqual(new Set(['COMPLETED']));
        expect(on.node.completedTasks()).toEqual([1, 2, 3, 4, 5, 6]); // each once
      }
    },
  );

  it('ends what was taken of a job whose other part is refused for good', async () => {
    for (const text of [...REFUSING_TEXTS, ...DENYING_TEXTS]) {
      const on = await withSbatch([text, text], 2);
      expect(on.end).toMatch(/^SUBMISSION_FAILED: /);
      expect(on.node.openMarkers()).toEqual([]);
      expect(on.node.completedTasks()).toEqual([]);
    }
  });
});

describe('a scheduler that loses tasks before they begin', () => {
  it('is given these again, and no others', async () => {
    const lost = fc.uniqueArray(fc.integer({ min: 1, max: TASK_COUNT }), { minLength: 1, maxLength: TASK_COUNT });
    await fc.assert(
      fc.asyncProperty(lost, fc.boolean(), async (tasks, isCollectLost) => {
        const on = new AnsweringCluster();
        await on.accept();
        await on.live(3);
        on.node.lose((task) => tasks.includes(task), isCollectLost ? markerOf(on.jobId, 0) : undefined);
        await on.live(7_200);
        expect(new Set(on.taskStates.values())).toEqual(new Set(['COMPLETED']));
        expect(on.node.completedTasks()).toEqual([1, 2, 3, 4, 5, 6]); // each once
        expect(on.node.openMarkers()).toEqual([]);
      }),
      { numRuns: 60 },
    );
  }, 300_000);
});
