import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { simulatorsQuery } from '../../api/queries.js';
import type { Editor } from '../editor-context.js';
import { identityOf } from '../model/identity.js';
import type { JsonObject } from '../model/pointer.js';
import type { Problem } from '../model/problems.js';
import { ask } from './ask.js';
import type { Runner } from './messages.js';

/** How long nothing is typed before the project is checked. */
const SETTLED_MS = 200;
/** The built-in engine, by the name that it has in the list of simulators. */
const ENGINE = /^reference\b/;

/** What the checks say now. */
export interface Checked {
  readonly isChecking: boolean;
  /** Why the chosen simulator refuses the project. */
  readonly problems: readonly Problem[];
  /** Why others would. */
  readonly others: readonly Problem[];
  readonly warnings: readonly { readonly message: string; readonly simulators: readonly string[] | undefined }[];
  readonly fault: string | undefined;
}

const NOTHING: readonly never[] = [];

/** Checks a project by those who would run it here, once nothing is typed, and tells the board what the chosen one says. */
export function useChecks(project: JsonObject, board: Editor['board'], simulator: Runner['simType']): Checked {
  const simulators = useQuery(simulatorsQuery);
  const [settled] = useDebouncedValue(project, SETTLED_MS);
  const runners = (simulators.data?.simulators ?? []).map(
    ({ sim_type: simType, engine }): Runner => ({
      simType,
      version: ENGINE.test(engine) ? undefined : engine.replace(simType, '').trim(),
    }),
  );
  const check = useQuery({
    queryKey: ['check', identityOf(settled), runners],
    queryFn: () => ask('check', { project: settled, runners }),
    enabled: runners.length > 0,
    placeholderData: (before) => before,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const some = (names: readonly string[]) => (names.length === runners.length ? undefined : names);
  const said = check.data?.problems ?? NOTHING;
  const toProblem = ({ what, simulators: names }: (typeof said)[number]): Problem => ({
    pointer: what.path,
    message: what.message,
    simulators: some(names),
  });
  const problems = said.filter((one) => one.simulators.includes(simulator)).map(toProblem);
  const text = JSON.stringify(problems);
  // what is shown changes with the text of it
  useEffect(() => board.show(JSON.parse(text) as Problem[]), [board, text]);
  return {
    isChecking: settled !== project || check.isFetching || simulators.isPending,
    problems,
    warnings: (check.data?.warnings ?? NOTHING).map(({ what, simulators: names }) => ({
      message: what.message,
      simulators: some(names),
    })),
    others: said.filter((one) => !one.simulators.includes(simulator)).map(toProblem),
    fault: check.error?.message,
  };
}
