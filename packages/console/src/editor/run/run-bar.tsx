import { Button, Checkbox, NumberInput, Select, SimpleGrid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { simulatorsQuery } from '../../api/queries.js';
import { GroupChoice } from '../../people/group-choice.js';
import { ProblemNotice } from '../../shell/problem-notice.js';
import { Estimate } from '../../submit/estimate.js';
import { PlatformChoice } from '../../submit/options-form.js';
import { isProject } from '../../submit/project.js';
import { bodyOf, estimateOf, type Options, useSubmission } from '../../submit/submission.js';
import { TargetForm } from '../../submit/target-form.js';
import { EDITOR_TEXTS } from '../../texts/editor.js';
import { TEXTS } from '../../texts.js';
import type { Checked } from '../check/use-checks.js';
import classes from '../editor.module.css';
import { useEditorState, useProject } from '../editor-context.js';
import { NumberField } from '../forms/fields.js';
import { type Keeper, titleOf } from '../keep/keeper.js';
import type { JsonObject } from '../model/pointer.js';
import { Problems } from './problems.js';

const T = EDITOR_TEXTS.run;
const TASKS_MAX = 1_000;

interface RunBarProps {
  readonly checked: Checked;
  readonly keeper: Keeper;
  /** Shows the place of a problem. */
  readonly onGoTo: (pointer: string) => void;
  /** How an earlier job ran, where this is its repeat. */
  readonly options: Options;
  readonly onOptions: (options: Options) => void;
}

/** A job is called like its project, unless it has a title of its own. */
const titled = (project: JsonObject, options: Options): Options =>
  options.title.trim() === '' ? { ...options, title: titleOf(project) } : options;

/** The revision that a job belongs to. A project that the service does not keep, as one that is too large, runs without. */
async function keptAs(keeper: Keeper) {
  try {
    const { projectId, revision } = await keeper.flush();
    return { project: { project_id: projectId, revision } };
  } catch (err) {
    if (keeper.getState().kind === 'conflict') throw err;
    return {};
  }
}

/** By whom and how long the project is simulated, what is in the way, and the button that begins it. */
export function RunBar({ checked, keeper, onGoTo, options, onOptions }: RunBarProps) {
  const project = useProject();
  const drafts = useEditorState((state) => state.drafts);
  const simulators = useQuery(simulatorsQuery);
  const [isOpen, setIsOpen] = useState(false);
  const set = (change: Partial<Options>) => onOptions({ ...options, ...change });
  const body = useMemo(() => bodyOf({ kind: 'editor', project }, titled(project, options)), [project, options]);
  const submit = useSubmission(async () => ({ ...body, ...(await keptAs(keeper)) }));
  const isRefused = !options.isOmitting && checked.problems.length > 0;
  const choices = (simulators.data?.simulators ?? []).map(({ sim_type: value, available, engine }) => ({
    value,
    label: engine === '' ? value : `${value} — ${engine}`,
    disabled: !available,
  }));
  return (
    <Stack gap="xs">
      <div className={classes.bar}>
        <NumberField pointer="/beam/numberOfParticles" label={T.primaries} isInteger step={1_000} otherwise={10_000} />
        <NumberInput
          label={T.tasks}
          w={84}
          min={1}
          max={TASKS_MAX}
          allowDecimal={false}
          value={options.tasks}
          onChange={(value) => typeof value === 'number' && set({ tasks: value })}
        />
        <Select
          label={T.simulator}
          w={190}
          allowDeselect={false}
          data={choices}
          value={options.simulator}
          onChange={(value) => value !== null && set({ simulator: value })}
        />
        <Button variant="default" onClick={() => setIsOpen(!isOpen)} aria-expanded={isOpen}>
          {T.more}
        </Button>
        <div className={classes.estimate}>
          {!isRefused && drafts.size === 0 && isProject(project) && <Estimate body={estimateOf(body)} />}
        </div>
        <div className={classes.go}>
          <Problems checked={checked} drafts={[...drafts.keys()]} onGoTo={onGoTo} />
          <Button
            size="md"
            loading={submit.isPending}
            disabled={isRefused || drafts.size > 0}
            onClick={() => submit.mutate()}
          >
            {T.submit}
          </Button>
        </div>
      </div>
      {isOpen && <Further project={project} options={options} set={set} />}
      {submit.isError && <ProblemNotice error={submit.error} />}
    </Stack>
  );
}

interface FurtherProps {
  readonly project: JsonObject;
  readonly options: Options;
  readonly set: (change: Partial<Options>) => void;
}

/** What few submissions need. */
function Further({ project, options, set }: FurtherProps) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, xl: 3 }} pt="xs">
      {isProject(project) && (
        <TargetForm project={project} target={options.target} onChange={(target) => set({ target })} faults={[]} />
      )}
      <Stack gap="xs">
        <PlatformChoice options={options} set={set} faults={[]} />
        <GroupChoice groupId={options.groupId} onChange={(groupId) => set({ groupId })} />
        <Checkbox
          label={TEXTS.submit.omit}
          checked={options.isOmitting}
          onChange={(event) => set({ isOmitting: event.currentTarget.checked })}
        />
      </Stack>
    </SimpleGrid>
  );
}
