/** Something that somebody may do in a state: one statement or one transaction, after which everything may be different. */
export interface SearchStep<State> {
  readonly name: string;
  /** The state after it; the one before stays as it is. */
  readonly run: () => State;
}

/** A small scenario of concurrent actors, for {@link searchStates}. Its states are finite and never changed. */
export interface SearchModel<State> {
  readonly start: State;
  /** Everything that anybody may do now, in an order that the state alone decides: crashes, repeats and delays, too. */
  stepsOf(state: State): readonly SearchStep<State>[];
  /** The same for states that are the same. */
  keyOf(state: State): string;
  /** What is wrong with a state, however it came about. */
  judgeState(state: State): string | undefined;
  /** What is wrong with a step. */
  judgeStep(before: State, name: string, after: State): string | undefined;
  /**
   * Number of the step that comes next once nothing fails any more; undefined: nothing does, all is quiet. From every state
   * these steps must come to an end.
   */
  healOf(state: State, steps: readonly SearchStep<State>[]): number | undefined;
  /** What is wrong with a state in which all is quiet. */
  judgeEnd(state: State): string | undefined;
}

export interface SearchViolation {
  readonly what: string;
  /** Number of each step, joined by dots: {@link replaySteps} takes the same way again. */
  readonly seed: string;
  /** The steps. */
  readonly path: readonly string[];
}

export interface SearchReport {
  readonly stateCount: number;
  /** States times what may happen in them. */
  readonly stepCount: number;
  /** Ways in which two steps, one after the other, may follow each of the states: each pair in both orders. */
  readonly pairCount: number;
  /** Absent: none. The shortest there is. */
  readonly violation?: SearchViolation;
}

/** Where a state was first met. */
interface Visit {
  readonly parent: number;
  readonly step: number;
}
const QUIET = -1;

/**
 * Visits every state that a scenario can come to, by every order of its steps, breadth first: as every step is a statement,
 * that is every interleaving of all operations, each cut off after any of its statements. Ends at the first violation.
 * @param statesMax - more than that is an error: the search would not be whole
 */
export function searchStates<State>(model: SearchModel<State>, statesMax: number): SearchReport {
  const numbers = new Map<string, number>([[model.keyOf(model.start), 0]]);
  const visits: Visit[] = [{ parent: 0, step: 0 }];
  const waiting = new Map<number, State>([[0, model.start]]);
  const heals: number[] = [];
  const degrees: number[] = [];
  const targets: number[] = [];
  const report = (what?: string, at = 0, step?: number): SearchReport => {
    const pairCount = targets.reduce((sum, target) => sum + (degrees[target] ?? 0), 0);
    const counts = { stateCount: visits.length, stepCount: targets.length, pairCount };
    if (what === undefined) return counts;
    const taken = [...wayTo(visits, at), ...(step === undefined ? [] : [step])];
    return { ...counts, violation: { what, seed: taken.join('.'), path: namesOf(model, taken) } };
  };
  for (let number = 0; number < visits.length; number++) {
    const state = waiting.get(number);
    if (state === undefined) throw new Error('a state was visited twice');
    waiting.delete(number);
    const fault = model.judgeState(state);
    if (fault !== undefined) return report(fault, number);
    const steps = model.stepsOf(state);
    const heal = model.healOf(state, steps);
    const first = targets.length;
    for (const [index, { name, run }] of steps.entries()) {
      const { after, wrong } = tryStep(model, state, name, run);
      if (after === undefined || wrong !== undefined) return report(wrong, number, index);
      const key = model.keyOf(after);
      let target = numbers.get(key);
      if (target === undefined) {
        target = visits.length;
        if (target >= statesMax) throw new Error(`there are more than ${statesMax} states`);
        numbers.set(key, target);
        visits.push({ parent: number, step: index });
        waiting.set(target, after);
      }
      targets.push(target);
    }
    degrees.push(steps.length);
    if (heal !== undefined) heals.push(targets[first + heal] ?? number);
    else {
      const left = model.judgeEnd(state);
      if (left !== undefined) return report(left, number);
      heals.push(QUIET);
    }
  }
  const endless = findEndless(heals);
  return endless === undefined ? report() : report('it never comes to rest', endless);
}

function tryStep<State>(model: SearchModel<State>, before: State, name: string, run: () => State) {
  try {
    const after = run();
    return { after, wrong: model.judgeStep(before, name, after) };
  } catch (err) {
    return { after: undefined, wrong: `${name}: ${String(err)}` };
  }
}

function wayTo(visits: readonly Visit[], number: number): number[] {
  const way: number[] = [];
  for (let at = number; at !== 0; ) {
    const { parent, step } = visits[at] ?? { parent: 0, step: 0 };
    way.unshift(step);
    at = parent;
  }
  return way;
}

/** A state from which healing does not come to rest. */
function findEndless(heals: readonly number[]): number | undefined {
  const isFinite = new Uint8Array(heals.length);
  for (let start = 0; start < heals.length; start++) {
    const seen = new Set<number>();
    let at = start;
    while (isFinite[at] !== 1) {
      if (seen.has(at)) return start;
      seen.add(at);
      const next = heals[at] ?? QUIET;
      if (next === QUIET) break;
      at = next;
    }
    for (const number of [...seen, at]) isFinite[number] = 1;
  }
  return undefined;
}

/** Takes the steps of a seed. Returns every state on the way, the first one included. */
export function replaySteps<State>(model: SearchModel<State>, seed: string): readonly State[] {
  const states = [model.start];
  for (const index of seed === '' ? [] : seed.split('.').map(Number)) {
    const state = states.at(-1) ?? model.start;
    const step = model.stepsOf(state)[index];
    if (step === undefined) throw new Error(`the seed is of another scenario: there is no step ${index}`);
    states.push(step.run());
  }
  return states;
}

function namesOf<State>(model: SearchModel<State>, taken: readonly number[]): string[] {
  const names: string[] = [];
  let state = model.start;
  for (const [i, index] of taken.entries()) {
    const step = model.stepsOf(state)[index];
    if (step === undefined) break;
    names.push(step.name);
    if (i + 1 < taken.length) state = step.run();
  }
  return names;
}
