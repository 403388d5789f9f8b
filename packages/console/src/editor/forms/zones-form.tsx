import { Button, Group, Select, Stack, Text, Title } from '@mantine/core';
import { EDITOR_TEXTS } from '../../texts/editor.js';
import classes from '../editor.module.css';
import { useEditor, useProblemsAt, useProject, useValue } from '../editor-context.js';
import { figuresOf, shapeOf } from '../model/bounds.js';
import { materialOf, WATER } from '../model/materials.js';
import { addZoneOf } from '../model/parts.js';
import { WORLD, ZONES } from '../model/places.js';
import { numberAt, textAt, valueAt, withValueAt } from '../model/pointer.js';
import { withOperations } from '../model/remove.js';
import { PlaceProblems, SwitchField, VectorField, words } from './fields.js';
import { Tool } from './layers-form.js';
import { MaterialField } from './material-field.js';
import { PartList } from './part-list.js';
import { Sizes } from './sizes.js';

const T = EDITOR_TEXTS.zones;

/** What the space is made of: zones of figures, the first that holds a point has it, and the world. */
export function ZonesForm() {
  const { store, materials } = useEditor();
  const project = useProject();
  const water = materials.find(({ icru }) => icru === WATER);
  const [first] = figuresOf(project);
  const summary = (zone: unknown) => {
    const material = materialOf(project, zone);
    const known = materials.find(({ icru }) => icru === numberAt(material, '/icru', Number.NaN));
    return known?.label ?? textAt(material, '/name');
  };
  return (
    <>
      <section>
        <Group justify="space-between" mb={4}>
          <Title order={3} size="h6">
            {T.title}
          </Title>
          {first !== undefined && water !== undefined && (
            <Button
              size="xs"
              variant="light"
              onClick={() => {
                store.edit((before) => addZoneOf(before, textAt(first.value, '/uuid'), T.newZone, water));
                store.select(`${ZONES}/0`);
              }}
            >
              {T.add}
            </Button>
          )}
        </Group>
        <Text size="xs" c="dimmed" mb="xs">
          {T.order}
        </Text>
        <PartList list={ZONES} summary={summary} empty={T.none} isOrdered>
          {(pointer) => (
            <>
              <MaterialField owner={pointer} />
              <Operations zone={pointer} />
            </>
          )}
        </PartList>
      </section>
      <section>
        <Title order={3} size="h6" mb="xs">
          {T.world}
        </Title>
        <World />
      </section>
    </>
  );
}

function World() {
  const world = useValue(WORLD);
  const isCalculated = valueAt(world, '/autoCalculate') === true;
  return (
    <Stack gap="sm">
      <MaterialField owner={WORLD} hasOverride={false} />
      <SwitchField pointer={`${WORLD}/autoCalculate`} label={T.calculated} />
      {!isCalculated && (
        <>
          <Sizes pointer={`${WORLD}/geometryData/parameters`} shape={shapeOf(world)} />
          <VectorField pointer={`${WORLD}/geometryData/position`} label={T.worldCenter} unit="cm" />
        </>
      )}
      <PlaceProblems pointer={WORLD} />
    </Stack>
  );
}

const MODES = ['union', 'subtraction', 'intersection', 'reverse-subtraction'] as const;

interface Operation {
  readonly mode: string;
  readonly objectUuid: string;
}

/** Terms of figures that are joined, cut and intersected from left to right; the zone is the union of its terms. */
function Operations({ zone }: { readonly zone: string }) {
  const { store } = useEditor();
  const project = useProject();
  const problems = useProblemsAt(`${zone}/unionOperations`);
  const figures = figuresOf(project).map(({ value }) => ({
    value: textAt(value, '/uuid'),
    label: textAt(value, '/name') || T.unnamed,
  }));
  const terms = readTerms(valueAt(project, `${zone}/unionOperations`));
  const write = (changed: readonly (readonly Operation[])[]) =>
    store.edit((before) =>
      withOperations(before, zone, mergeTerms(valueAt(before, `${zone}/unionOperations`), changed)),
    );
  const put = (term: number, index: number, change: Partial<Operation>) =>
    write(terms.map((one, i) => (i === term ? one.map((op, k) => (k === index ? { ...op, ...change } : op)) : one)));
  const drop = (term: number, index: number) =>
    write(
      terms
        .map((one, i) => (i === term ? withFirstAdded(one.toSpliced(index, 1)) : one))
        .filter(({ length }) => length > 0),
    );
  const add = (term: number) => {
    const [first] = figures;
    if (first === undefined) return;
    write(terms.map((one, i) => (i === term ? [...one, { mode: 'subtraction', objectUuid: first.value }] : one)));
  };
  const [first] = figures;
  return (
    <Stack gap={6}>
      <Text size="sm" fw={500}>
        {T.madeOf}
      </Text>
      {terms.map((term, t) => (
        <div key={t} className={classes.term}>
          {t > 0 && (
            <Text size="xs" c="dimmed">
              {T.together}
            </Text>
          )}
          {term.map((operation, i) => (
            <OperationRow
              key={i}
              operation={operation}
              isFirst={i === 0}
              isOnly={term.length === 1 && terms.length === 1}
              figures={figures}
              onChange={(change) => put(t, i, change)}
              onDrop={() => drop(t, i)}
            />
          ))}
          <Button size="compact-xs" variant="subtle" onClick={() => add(t)}>
            {T.addFigure}
          </Button>
        </div>
      ))}
      {first !== undefined && (
        <Button
          size="compact-xs"
          variant="subtle"
          onClick={() => write([...terms, [{ mode: 'union', objectUuid: first.value }]])}
          style={{ alignSelf: 'flex-start' }}
        >
          {T.addTerm}
        </Button>
      )}
      {problems.length > 0 && <Text c="var(--mantine-color-error)">{words(problems)}</Text>}
    </Stack>
  );
}

interface OperationProps {
  readonly operation: Operation;
  readonly isFirst: boolean;
  /** Without it the zone would be of nothing. */
  readonly isOnly: boolean;
  readonly figures: { readonly value: string; readonly label: string }[];
  readonly onChange: (change: Partial<Operation>) => void;
  readonly onDrop: () => void;
}

function OperationRow({ operation, isFirst, isOnly, figures, onChange, onDrop }: OperationProps) {
  return (
    <Group gap={6} wrap="nowrap">
      {isFirst ? (
        <Text size="xs" w={128} c="dimmed">
          {T.first}
        </Text>
      ) : (
        <Select
          size="xs"
          w={128}
          aria-label={T.mode}
          allowDeselect={false}
          data={MODES.map((value) => ({ value, label: T.modes[value] }))}
          value={operation.mode}
          onChange={(mode) => mode !== null && onChange({ mode })}
        />
      )}
      <Select
        size="xs"
        flex={1}
        aria-label={T.figure}
        searchable
        allowDeselect={false}
        data={figures}
        value={operation.objectUuid}
        onChange={(objectUuid) => objectUuid !== null && onChange({ objectUuid })}
      />
      <Tool label={T.without} path="M4 4l8 8M12 4l-8 8" isOff={isOnly} onClick={onDrop} />
    </Group>
  );
}

function readTerms(json: unknown): Operation[][] {
  if (!Array.isArray(json)) return [];
  return json.map((term: unknown) => {
    const operations: unknown[] = Array.isArray(term) ? term : [];
    return operations.map((one) => ({ mode: textAt(one, '/mode'), objectUuid: textAt(one, '/objectUuid') }));
  });
}

/** Operations as they shall be, each with what else stood at the one before at its place. */
function mergeTerms(before: unknown, terms: readonly (readonly Operation[])[]): unknown[] {
  return terms.map((term, t) =>
    term.map(({ mode, objectUuid }, i) => {
      const known = valueAt(before, `/${t}/${i}`);
      return withValueAt(withValueAt(typeof known === 'object' ? known : {}, '/mode', mode), '/objectUuid', objectUuid);
    }),
  );
}

/** The first figure of a term can only be added. */
const withFirstAdded = (term: readonly Operation[]): Operation[] =>
  term.map((one, i) => (i === 0 ? { ...one, mode: 'union' } : one));
