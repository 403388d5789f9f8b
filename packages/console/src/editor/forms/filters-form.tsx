import { Button, Group, Stack, Text } from '@mantine/core';
import { EDITOR_TEXTS } from '../../texts/editor.js';
import { useEditor, useProject, useValue } from '../editor-context.js';
import { findParticle, PARTICLES, particleFor } from '../model/particles.js';
import { addFilter } from '../model/parts.js';
import { FILTERS, newUuid } from '../model/places.js';
import { itemsAt, textAt, valueAt, withValueAt } from '../model/pointer.js';
import { ChoiceField, NumberField, PlaceProblems, Row } from './fields.js';
import { Tool } from './layers-form.js';
import { PartList } from './part-list.js';

const T = EDITOR_TEXTS.filters;
const KEYWORDS = ['Z', 'A', 'E', 'ENUC', 'EAMU', 'GEN', 'ID', 'AMASS', 'AMU', 'NPRIM'] as const;
const OPERATORS = ['==', '!=', '<', '<=', '>', '>='] as const;
const SIGNS: Readonly<Record<string, string>> = { '==': '=', '!=': '≠', '<': '<', '<=': '≤', '>': '>', '>=': '≥' };

/** Which particles quantities count. */
export function FiltersForm() {
  const { store } = useEditor();
  return (
    <Stack gap="xs">
      <PartList list={FILTERS} summary={summaryOf} empty={T.none}>
        {(pointer) => <FilterForm key={pointer} pointer={pointer} />}
      </PartList>
      <Button
        size="xs"
        variant="light"
        style={{ alignSelf: 'flex-start' }}
        onClick={() => {
          const added = addFilter(store.getState().project);
          store.edit(() => added.project);
          store.select(added.pointer);
        }}
      >
        {T.add}
      </Button>
    </Stack>
  );
}

function summaryOf(filter: unknown): string {
  if (valueAt(filter, '/particle') !== undefined)
    return findParticle(valueAt(filter, '/particle'))?.label ?? T.particle;
  const rules = itemsAt(filter, '/rules').map(
    ({ value }) => `${textAt(value, '/keyword')} ${SIGNS[textAt(value, '/operator')] ?? '?'} ${String(value.value)}`,
  );
  return rules.length > 0 ? rules.join(T.and) : textAt(filter, '/filterType');
}

function FilterForm({ pointer }: { readonly pointer: string }) {
  const { store } = useEditor();
  const project = useProject();
  const filter = useValue(pointer);
  const rules = itemsAt(project, `${pointer}/rules`);
  if (valueAt(filter, '/rules') === undefined) {
    return valueAt(filter, '/particle') === undefined ? (
      <Text size="sm" c="dimmed">
        {T.geant4}
      </Text>
    ) : (
      <ChoiceField
        pointer={`${pointer}/particle`}
        label={T.particle}
        data={PARTICLES.map(({ label }) => ({ value: label, label }))}
        value={findParticle(valueAt(filter, '/particle'))?.label ?? textAt(filter, '/particle/name')}
        write={(label) => {
          const choice = PARTICLES.find((one) => one.label === label);
          if (choice !== undefined)
            store.setAtPointer(`${pointer}/particle`, particleFor(choice, valueAt(filter, '/particle')));
        }}
      />
    );
  }
  return (
    <Stack gap={6}>
      <Text size="xs" c="dimmed">
        {T.lead}
      </Text>
      {rules.map((rule) => (
        <Group key={textAt(rule.value, '/uuid') || rule.pointer} wrap="nowrap" gap={6} align="flex-start">
          <Row>
            <ChoiceField
              pointer={`${rule.pointer}/keyword`}
              label={T.property}
              data={KEYWORDS.map((value) => ({ value, label: T.keywords[value] }))}
            />
            <ChoiceField
              pointer={`${rule.pointer}/operator`}
              label={T.operator}
              data={OPERATORS.map((value) => ({ value, label: SIGNS[value] ?? value }))}
            />
            <NumberField pointer={`${rule.pointer}/value`} label={T.value} />
          </Row>
          <Tool
            label={T.removeRule}
            path="M4 4l8 8M12 4l-8 8"
            onClick={() => {
              store.dropDrafts(`${pointer}/rules`);
              store.edit((before) => withValueAt(before, rule.pointer, undefined));
            }}
          />
        </Group>
      ))}
      <PlaceProblems pointer={`${pointer}/rules`} />
      <Button
        size="compact-xs"
        variant="subtle"
        style={{ alignSelf: 'flex-start' }}
        onClick={() =>
          store.edit((before) =>
            withValueAt(before, `${pointer}/rules/-`, { uuid: newUuid(), keyword: 'GEN', operator: '==', value: 0 }),
          )
        }
      >
        {T.addRule}
      </Button>
    </Stack>
  );
}
