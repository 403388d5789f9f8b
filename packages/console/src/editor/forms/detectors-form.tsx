import { Button, Group, Menu, SegmentedControl, Stack, Text } from '@mantine/core';
import { EDITOR_TEXTS } from '../../texts/editor.js';
import { useEditor, useProject, useValue } from '../editor-context.js';
import { align } from '../model/align.js';
import { addDetector, DETECTOR_KINDS, detectorGeometry } from '../model/parts.js';
import { DETECTORS, ZONES } from '../model/places.js';
import { itemsAt, numberAt, textAt, valueAt, withValueAt } from '../model/pointer.js';
import { ChoiceField, NumberField, PlaceProblems, Row, VectorField } from './fields.js';
import { PartList } from './part-list.js';

const T = EDITOR_TEXTS.detectors;

/** Where something is scored. */
export function DetectorsForm() {
  const { store } = useEditor();
  const project = useProject();
  const zones = itemsAt(project, ZONES);
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text size="xs" c="dimmed" flex={1}>
          {T.lead}
        </Text>
        <Menu position="bottom-end" width={300}>
          <Menu.Target>
            <Button size="xs" variant="light">
              {T.add}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {DETECTOR_KINDS.filter((kind) => kind !== 'zone' || zones.length > 0).map((kind) => (
              <Menu.Item
                key={kind}
                onClick={() => {
                  const added = addDetector(store.getState().project, kind);
                  store.edit(() => added.project);
                  store.select(added.pointer);
                }}
              >
                <Text size="sm">{T.kinds[kind][0]}</Text>
                <Text size="xs" c="dimmed">
                  {T.kinds[kind][1]}
                </Text>
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </Group>
      <PartList list={DETECTORS} summary={summaryOf} empty={T.none}>
        {(pointer) => <DetectorForm key={pointer} pointer={pointer} />}
      </PartList>
      <PlaceProblems pointer="/detectorManager" />
    </Stack>
  );
}

const typeOf = (detector: unknown): string => textAt(detector, '/geometryData/geometryType');

function summaryOf(detector: unknown): string {
  const number = (name: string) => numberAt(detector, `/geometryData/parameters/${name}`);
  switch (typeOf(detector)) {
    case 'Mesh':
      return T.meshSize(
        ['width', 'height', 'depth'].map(number).join(' × '),
        ['xSegments', 'ySegments', 'zSegments'].map(number).join(' × '),
      );
    case 'Cyl':
      return T.cylinderSize(number('radius'), number('depth'), number('radialSegments'), number('zSegments'));
    case 'Zone':
      return T.inZone;
    default:
      return T.everywhere;
  }
}

const TYPES = ['Mesh', 'Cyl', 'Zone', 'All'] as const;

function DetectorForm({ pointer }: { readonly pointer: string }) {
  const { store } = useEditor();
  const project = useProject();
  const detector = useValue(pointer);
  const type = typeOf(detector);
  const geometry = `${pointer}/geometryData`;
  const change = (to: string) => {
    const kind = { Mesh: 'depth', Cyl: 'cylinder', Zone: 'zone', All: 'all' }[to];
    const found = DETECTOR_KINDS.find((one) => one === kind);
    if (found === undefined) return;
    store.dropDrafts(geometry);
    store.edit((before) => withValueAt(before, geometry, detectorGeometry(before, found)));
  };
  return (
    <>
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label={T.type}
        data={TYPES.map((value) => ({ value, label: T.types[value] }))}
        value={type}
        onChange={change}
      />
      {type === 'Mesh' && <MeshForm geometry={geometry} />}
      {type === 'Cyl' && <CylinderForm geometry={geometry} />}
      {type === 'Zone' && (
        <ChoiceField
          pointer={`${geometry}/parameters/zoneUuid`}
          label={T.zone}
          data={[
            ...itemsAt(project, ZONES).map(({ value }) => ({
              value: textAt(value, '/uuid'),
              label: textAt(value, '/name'),
            })),
            { value: textAt(project, '/zoneManager/worldZone/uuid') || 'world', label: T.world },
          ]}
        />
      )}
      {(type === 'Mesh' || type === 'Cyl') && (
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            onClick={() => {
              store.dropDrafts(`${geometry}/position`);
              store.edit((before) => align(before, pointer, 'beam'));
            }}
          >
            {T.onBeam}
          </Button>
        </Group>
      )}
    </>
  );
}

const AXES = [
  ['x', 'width'],
  ['y', 'height'],
  ['z', 'depth'],
] as const;

function MeshForm({ geometry }: { readonly geometry: string }) {
  return (
    <>
      <VectorField pointer={`${geometry}/position`} label={T.center} unit="cm" step={0.5} />
      <div>
        <Text size="sm" fw={600} mb={2}>
          {T.size}
        </Text>
        <Row>
          {AXES.map(([axis, size]) => (
            <NumberField
              key={size}
              pointer={`${geometry}/parameters/${size}`}
              label={T.along(axis)}
              isMinor
              unit="cm"
              otherwise={1}
            />
          ))}
        </Row>
      </div>
      <div>
        <Text size="sm" fw={600} mb={2}>
          {T.bins}
        </Text>
        <Row>
          {AXES.map(([axis]) => (
            <NumberField
              key={axis}
              pointer={`${geometry}/parameters/${axis}Segments`}
              label={T.binsAlong(axis)}
              isMinor
              isInteger
              otherwise={axis === 'z' ? 100 : 1}
            />
          ))}
        </Row>
      </div>
      <PlaceProblems pointer={geometry} />
    </>
  );
}

function CylinderForm({ geometry }: { readonly geometry: string }) {
  const field = (name: string, label: string, unit: string | undefined, otherwise: number) => (
    <NumberField
      pointer={`${geometry}/parameters/${name}`}
      label={label}
      unit={unit}
      isInteger={unit === undefined}
      otherwise={otherwise}
    />
  );
  return (
    <>
      <VectorField pointer={`${geometry}/position`} label={T.center} unit="cm" step={0.5} />
      <Row>
        {field('radius', T.radius, 'cm', 1)}
        {field('innerRadius', T.innerRadius, 'cm', 0)}
        {field('depth', T.length, 'cm', 1)}
      </Row>
      <Row>
        {field('radialSegments', T.rings, undefined, 1)}
        {field('zSegments', T.binsAlong('z'), undefined, 100)}
      </Row>
      <PlaceProblems pointer={geometry} />
    </>
  );
}

/** Whether a detector has more than one bin along an axis; what a result will be. */
export function resultOf(detector: unknown): string {
  const names = typeOf(detector) === 'Cyl' ? ['radialSegments', 'zSegments'] : ['xSegments', 'ySegments', 'zSegments'];
  const parameters = valueAt(detector, '/geometryData/parameters');
  const binned = names.filter((name) => numberAt(parameters, `/${name}`, 1) > 1);
  return T.results[Math.min(binned.length, 3)] ?? '';
}
