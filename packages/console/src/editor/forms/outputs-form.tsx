import { Badge, Button, Card, Group, Menu, Stack, Text, Title } from '@mantine/core';
import { EDITOR_TEXTS } from '../../texts/editor.js';
import { useEditor, useProject, useValue } from '../editor-context.js';
import { materialOf, withMaterial } from '../model/materials.js';
import { addOutput, addQuantity, chooseQuantity } from '../model/parts.js';
import { DETECTORS, FILTERS, OUTPUTS } from '../model/places.js';
import { itemsAt, numberAt, textAt, valueAt, withValueAt } from '../model/pointer.js';
import { AXES, QUANTITIES } from '../model/quantities.js';
import { resultOf } from './detectors-form.js';
import { ChoiceField, NumberField, PlaceProblems, Row, SwitchField, TextField } from './fields.js';
import { FiltersForm } from './filters-form.js';
import { Tool } from './layers-form.js';
import { MaterialChoice } from './material-field.js';
import { PartList } from './part-list.js';

const T = EDITOR_TEXTS.outputs;

/** What is scored in which detector. */
export function OutputsForm() {
  const { store } = useEditor();
  const project = useProject();
  const detectors = itemsAt(project, DETECTORS);
  const nameOf = (uuid: string) => textAt(detectors.find(({ value }) => value.uuid === uuid)?.value, '/name');
  return (
    <Stack gap="lg">
      <section>
        <Group justify="space-between" mb="xs">
          <Text size="xs" c="dimmed" flex={1}>
            {T.lead}
          </Text>
          <Menu position="bottom-end">
            <Menu.Target>
              <Button size="xs" variant="light" disabled={detectors.length === 0}>
                {T.add}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {detectors.map(({ value, pointer }) => (
                <Menu.Item
                  key={pointer}
                  onClick={() => {
                    const name = textAt(value, '/name');
                    const added = addOutput(store.getState().project, textAt(value, '/uuid'), name);
                    store.edit(() => added.project);
                    store.select(added.pointer);
                  }}
                >
                  {T.inDetector(textAt(value, '/name'))}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        </Group>
        <PartList
          list={OUTPUTS}
          summary={(output) =>
            T.summary(
              itemsAt(output, '/quantities')
                .map(({ value }) => textAt(value, '/name'))
                .join(', '),
              nameOf(textAt(output, '/detectorUuid')),
            )
          }
          empty={T.none}
        >
          {(pointer) => <OutputForm key={pointer} pointer={pointer} />}
        </PartList>
        <PlaceProblems pointer="/scoringManager" />
      </section>
      <section>
        <Title order={3} size="h6" mb="xs">
          {T.filters}
        </Title>
        <FiltersForm />
      </section>
    </Stack>
  );
}

function OutputForm({ pointer }: { readonly pointer: string }) {
  const { store } = useEditor();
  const project = useProject();
  const quantities = itemsAt(project, `${pointer}/quantities`);
  const detectors = itemsAt(project, DETECTORS);
  const detector = detectors.find(({ value }) => value.uuid === valueAt(project, `${pointer}/detectorUuid`));
  return (
    <>
      <Group align="flex-end" grow>
        <ChoiceField
          pointer={`${pointer}/detectorUuid`}
          label={T.detector}
          data={detectors.map(({ value }) => ({ value: textAt(value, '/uuid'), label: textAt(value, '/name') }))}
        />
        {detector !== undefined && (
          <Badge variant="light" color="gray" tt="none" c="var(--mantine-color-text)" mb={8}>
            {resultOf(detector.value)}
          </Badge>
        )}
      </Group>
      {quantities.map((quantity) => (
        <QuantityForm
          key={textAt(quantity.value, '/uuid') || quantity.pointer}
          pointer={quantity.pointer}
          list={`${pointer}/quantities`}
        />
      ))}
      <Menu position="bottom-start" width={320}>
        <Menu.Target>
          <Button size="xs" variant="light" style={{ alignSelf: 'flex-start' }}>
            {T.addQuantity}
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah={360} style={{ overflow: 'auto' }}>
          {QUANTITIES.map(({ keyword, label, unit, about }) => (
            <Menu.Item
              key={keyword}
              onClick={() => store.edit((before) => addQuantity(before, pointer, keyword).project)}
            >
              <Text size="sm">{unit === '' ? label : `${label} / ${unit}`}</Text>
              <Text size="xs" c="dimmed">
                {about}
              </Text>
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

/** Quantities that may refer to another medium than that where they are scored. */
const WITH_MEDIUM = ['Dose', 'DDD', 'DoseGy', 'dLET', 'tLET'];

function QuantityForm({ pointer, list }: { readonly pointer: string; readonly list: string }) {
  const { store } = useEditor();
  const project = useProject();
  const quantity = useValue(pointer);
  const keyword = textAt(quantity, '/keyword');
  const modifiers = itemsAt(project, `${pointer}/modifiers`);
  const filters = itemsAt(project, FILTERS);
  return (
    <Card withBorder p="xs" data-quantity={keyword}>
      <Stack gap={6}>
        <Group wrap="nowrap" align="flex-start" gap={6}>
          <Row isFirstWide>
            <ChoiceField
              pointer={`${pointer}/keyword`}
              label={T.quantity}
              isSearchable
              write={(chosen) => store.edit((before) => chooseQuantity(before, pointer, chosen))}
              data={QUANTITIES.map(({ keyword: value, label, unit }) => ({
                value,
                label: unit === '' ? label : `${label} / ${unit}`,
              }))}
            />
            <TextField pointer={`${pointer}/name`} label={T.name} />
            <ChoiceField
              pointer={`${pointer}/filter`}
              label={T.filter}
              value={textAt(quantity, '/filter') || 'none'}
              data={[
                { value: 'none', label: T.noFilter },
                ...filters.map(({ value }) => ({ value: textAt(value, '/uuid'), label: textAt(value, '/name') })),
              ]}
              write={(uuid) => store.setAtPointer(`${pointer}/filter`, uuid === 'none' ? undefined : uuid)}
            />
          </Row>
          <Tool
            label={T.removeQuantity}
            path="M4 4l8 8M12 4l-8 8"
            onClick={() => {
              store.dropDrafts(list);
              store.edit((before) => withValueAt(before, pointer, undefined));
            }}
          />
        </Group>
        {modifiers.map((modifier) => (
          <AxisForm key={modifier.pointer} pointer={modifier.pointer} />
        ))}
        <Group gap="xs">
          {modifiers.length < 2 && (
            <Button
              size="compact-xs"
              variant="subtle"
              onClick={() =>
                store.edit((before) =>
                  withValueAt(before, `${pointer}/modifiers`, [...modifiers.map(({ value }) => value), newAxis('E')]),
                )
              }
            >
              {T.addAxis}
            </Button>
          )}
        </Group>
        <ScaleAndMedium pointer={pointer} keyword={keyword} />
        <PlaceProblems pointer={pointer} />
      </Stack>
    </Card>
  );
}

interface ScaleProps {
  readonly pointer: string;
  readonly keyword: string;
}

/** What few quantities have: a factor, and another medium. */
function ScaleAndMedium({ pointer, keyword }: ScaleProps) {
  const { store } = useEditor();
  const project = useProject();
  const medium = materialOf(project, useValue(pointer));
  return (
    <details>
      <summary>{T.further}</summary>
      <Stack gap={6} mt={4}>
        <Row>
          <NumberField pointer={`${pointer}/rescale`} label={T.rescale} isOptional />
          <NumberField pointer={`${pointer}/primaries`} label={T.scaledTo} isOptional />
        </Row>
        {WITH_MEDIUM.includes(keyword) && (
          <Group align="flex-end" gap="xs">
            <MaterialChoice
              label={T.medium}
              icru={medium === undefined ? undefined : numberAt(medium, '/icru', Number.NaN)}
              name={medium === undefined ? T.localMedium : textAt(medium, '/name')}
              onChoose={(material) =>
                store.edit((before) => {
                  const listed = withMaterial(before, material);
                  return withValueAt(listed.project, `${pointer}/materialUuid`, listed.uuid);
                })
              }
            />
            {medium !== undefined && (
              <Button
                size="xs"
                variant="subtle"
                onClick={() => store.edit((before) => withValueAt(before, `${pointer}/materialUuid`, undefined))}
              >
                {T.localMedium}
              </Button>
            )}
          </Group>
        )}
      </Stack>
    </details>
  );
}

function newAxis(type: string) {
  const axis = AXES.find((one) => one.type === type) ?? AXES[0];
  return { diffType: axis.type, lowerLimit: axis.lower, upperLimit: axis.upper, binsNumber: 100, isLog: false };
}

/** A differential axis: what it is of, from where to where, in how many bins. */
function AxisForm({ pointer }: { readonly pointer: string }) {
  const { store } = useEditor();
  const type = textAt(useValue(pointer), '/diffType');
  const unit = AXES.find((one) => one.type === type)?.unit ?? '';
  return (
    <Group wrap="nowrap" align="flex-start" gap={6}>
      <Row>
        <ChoiceField
          pointer={`${pointer}/diffType`}
          label={T.axis}
          data={AXES.map(({ type: value, label }) => ({ value, label }))}
          write={(chosen) =>
            store.edit((before) => {
              const { diffType, lowerLimit, upperLimit } = newAxis(chosen);
              return withValueAt(before, pointer, {
                ...Object(valueAt(before, pointer)),
                diffType,
                lowerLimit,
                upperLimit,
              });
            })
          }
        />
        <NumberField pointer={`${pointer}/lowerLimit`} label={T.from} unit={unit} />
        <NumberField pointer={`${pointer}/upperLimit`} label={T.to} unit={unit} />
        <NumberField pointer={`${pointer}/binsNumber`} label={T.bins} isInteger step={10} />
        <SwitchField pointer={`${pointer}/isLog`} label={T.log} />
      </Row>
      <Tool
        label={T.removeAxis}
        path="M4 4l8 8M12 4l-8 8"
        onClick={() => {
          store.dropDrafts(pointer.replace(/\/\d+$/, ''));
          store.edit((before) => withValueAt(before, pointer, undefined));
        }}
      />
    </Group>
  );
}
