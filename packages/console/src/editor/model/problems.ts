/** Something to mend or to know, at a place of the project. */
export interface Problem {
  readonly pointer: string;
  readonly message: string;
  /** Simulators that refuse the project for it, where it is not all of them. */
  readonly simulators?: readonly string[];
}

/** Which problem is said where. */
export interface ProblemBoard {
  /** What the checks have found last. */
  readonly show: (problems: readonly Problem[]) => void;
  readonly all: () => readonly Problem[];
  /** Says that problems at and below a pointer can be said there; the place that is nearest to a problem has it. @returns what ends it */
  readonly offer: (pointer: string) => () => void;
  /** Problems that are said at an offered pointer. */
  readonly at: (pointer: string) => readonly Problem[];
  readonly subscribe: (listener: () => void) => () => void;
}

const NONE: readonly Problem[] = [];

/** Every problem is said once: at the innermost place that is on the page. */
export function createBoard(): ProblemBoard {
  const offers = new Map<string, number>();
  const listeners = new Set<() => void>();
  let problems: readonly Problem[] = NONE;
  let placed: ReadonlyMap<string, readonly Problem[]> | undefined;
  const tell = (): void => {
    placed = undefined;
    for (const listener of listeners) listener();
  };
  const place = (): ReadonlyMap<string, readonly Problem[]> => {
    const found = new Map<string, Problem[]>();
    for (const problem of problems) {
      const pointer = nearest(problem.pointer, offers);
      if (pointer === undefined) continue;
      const others = found.get(pointer);
      if (others === undefined) found.set(pointer, [problem]);
      else others.push(problem);
    }
    return found;
  };
  return {
    show(found) {
      if (JSON.stringify(found) === JSON.stringify(problems)) return;
      problems = found;
      tell();
    },
    all: () => problems,
    offer(pointer) {
      offers.set(pointer, (offers.get(pointer) ?? 0) + 1);
      if (offers.get(pointer) === 1) tell();
      return () => {
        const count = (offers.get(pointer) ?? 1) - 1;
        if (count > 0) offers.set(pointer, count);
        else {
          offers.delete(pointer);
          tell();
        }
      };
    },
    at(pointer) {
      placed ??= place();
      return placed.get(pointer) ?? NONE;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function nearest(pointer: string, offers: ReadonlyMap<string, number>): string | undefined {
  for (let place = pointer; ; place = place.slice(0, place.lastIndexOf('/'))) {
    if (offers.has(place)) return place;
    if (place === '') return undefined;
  }
}
