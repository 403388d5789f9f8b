import { Button, Group, Menu, Select, Stack, Text, Title } from '@mantine/core';
import { EDITOR_TEXTS } from '../../texts/editor.js';
import { useEditor, useProject, useValue } from '../editor-context.js';
import { type AlignTo, align } from '../model/align.js';
import { figuresOf, type Shape, shapeOf } from '../model/bounds.js';
import { WATER } from '../model/materials.js';
import { addFigure } from '../model/parts.js';
import { FIGURES } from '../model/places.js';
import { numberAt, textAt, valueAt } from '../model/pointer.js';
import { PlaceProblems, VectorField } from './fields.js';
import { LayersForm } from './layers-form.js';
import { PartList } from './part-list.js';
import { Sizes } from './sizes.js';
import { ZonesForm } from './zones-form.js';

const T = EDITOR_TEXTS.geometry;

/** Everything that is matter: layers, single figures, the zones that are made of them, and the world around. */
export function GeometryForm() {
  return (
    <Stack gap="lg">
      <section>
        <Title order={3} size="h6" mb="xs">
          {T.layers}
        </Title>
        <LayersForm />
      </section>
      <section>
        <Group justify="space-between" mb="xs">
          <Title order={3} size="h6">
            {T.figures}
          </Title>
          <AddFigure />
        </Group>
        <PartList list={FIGURES} summary={sizesOf} color={colorOf} empty={T.noFigures}>
          {(pointer) => <FigureForm key={pointer} pointer={pointer} />}
        </PartList>
        <PlaceProblems pointer="/figureManager" />
      </section>
      <ZonesForm />
    </Stack>
  );
}

const colorOf = (figure: unknown): string | undefined => {
  const color = valueAt(figure, '/colorHex');
  return typeof color === 'number' ? `#${color.toString(16).padStart(6, '0')}` : undefined;
};

function sizesOf(figure: unknown): string {
  const size = (name: string) => String(numberAt(figure, `/geometryData/parameters/${name}`));
  switch (shapeOf(figure)) {
    case 'box':
      return T.boxSize(size('width'), size('height'), size('depth'));
    case 'cylinder':
      return T.cylinderSize(size('radius'), size('depth'));
    case 'sphere':
      return T.sphereSize(size('radius'));
  }
}

const CHOICES: readonly { readonly shape: Shape; readonly isHollow: boolean; readonly label: string }[] = [
  { shape: 'box', isHollow: false, label: T.box },
  { shape: 'cylinder', isHollow: false, label: T.cylinder },
  { shape: 'cylinder', isHollow: true, label: T.tube },
  { shape: 'sphere', isHollow: false, label: T.sphere },
];

function AddFigure() {
  const { store, materials } = useEditor();
  const water = materials.find(({ icru }) => icru === WATER);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button size="xs" variant="light">
          {T.add}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {CHOICES.map(({ shape, isHollow, label }) => (
          <Menu.Item
            key={label}
            onClick={() => {
              if (water === undefined) return;
              const added = addFigure(store.getState().project, shape, isHollow, water);
              store.edit(() => added.project);
              store.select(added.pointer);
            }}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Sizes, place and rotation of a figure. */
function FigureForm({ pointer }: { readonly pointer: string }) {
  const figure = useValue(pointer);
  return (
    <>
      <Sizes pointer={`${pointer}/geometryData/parameters`} shape={shapeOf(figure)} />
      <VectorField pointer={`${pointer}/geometryData/position`} label={T.center} unit="cm" step={0.1} />
      {shapeOf(figure) !== 'sphere' && (
        <VectorField pointer={`${pointer}/geometryData/rotation`} label={T.rotation} unit="°" step={5} />
      )}
      <Align pointer={pointer} />
    </>
  );
}

/** Puts a figure onto the beam, or against another figure. */
function Align({ pointer }: { readonly pointer: string }) {
  const { store } = useEditor();
  const project = useProject();
  const others = figuresOf(project).filter((one) => one.pointer !== pointer);
  const put = (to: AlignTo, other?: string) => {
    store.dropDrafts(`${pointer}/geometryData/position`);
    store.edit((before) => align(before, pointer, to, other));
  };
  return (
    <Group gap="xs" align="flex-end">
      <Button size="xs" variant="default" onClick={() => put('beam')}>
        {T.onBeam}
      </Button>
      {others.length > 0 &&
        (['before', 'behind', 'center'] as const).map((to) => (
          <Select
            key={to}
            size="xs"
            w={150}
            aria-label={T.alignTo[to]}
            placeholder={T.alignTo[to]}
            searchable
            value={null}
            data={others.map((one) => ({ value: one.pointer, label: textAt(one.value, '/name') || T.unnamed }))}
            onChange={(other) => other !== null && put(to, other)}
          />
        ))}
      <Text size="xs" c="dimmed">
        {T.alignHint}
      </Text>
    </Group>
  );
}
