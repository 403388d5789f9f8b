import { ActionIcon, Button, Group, Stack, Text, Tooltip } from '@mantine/core';
import { EDITOR_TEXTS } from '../../texts/editor.js';
import classes from '../editor.module.css';
import { useEditor, useProject } from '../editor-context.js';
import { figuresOf } from '../model/bounds.js';
import { type Layer, type Stack as Layers, lengthOf, readStack, writeStack } from '../model/layers.js';
import { type TableMaterial, WATER, withMaterial } from '../model/materials.js';
import { MATERIALS } from '../model/places.js';
import { itemsAt, type JsonObject, numberAt, textAt } from '../model/pointer.js';
import { NumberField, Row } from './fields.js';
import { MaterialChoice } from './material-field.js';

const T = EDITOR_TEXTS.layers;
/** Thickness of a new layer, cm. */
const THICKNESS_CM = 1;

/** Slabs behind each other along z, as one thing: what reads as a stack in the project, whoever wrote it. */
export function LayersForm() {
  const { store, materials } = useEditor();
  const project = useProject();
  const stack = readStack(project);
  const water = materials.find(({ icru }) => icru === WATER);
  const write = (change: (stack: Layers, project: JsonObject) => [JsonObject, Layers], key?: string) => {
    store.edit((before) => {
      const now = readStack(before);
      if (now === undefined) return before;
      const [changed, after] = change(now, before);
      return writeStack(changed, after);
    }, key);
  };
  if (stack === undefined) {
    const hasFigures = figuresOf(project).length > 0;
    return (
      <Group justify="space-between">
        <Text size="sm" c="dimmed" flex={1}>
          {hasFigures ? T.none : T.noneYet}
        </Text>
        {water !== undefined && (
          <Button size="xs" variant="light" onClick={() => store.edit((before) => firstLayer(before, water))}>
            {T.begin}
          </Button>
        )}
      </Group>
    );
  }
  const add = (index: number) =>
    write((now, before) => {
      const chosen = water ?? materials[0];
      const listed = chosen === undefined ? { project: before, uuid: '' } : withMaterial(before, chosen);
      const layer: Layer = { figureUuid: '', name: T.layer, materialUuid: listed.uuid, thicknessCm: THICKNESS_CM };
      return [listed.project, { ...now, layers: now.layers.toSpliced(index, 0, layer) }];
    });
  const set = (change: Partial<Layers>, key: string) => write((now, before) => [before, { ...now, ...change }], key);
  return (
    <Stack gap="xs">
      <Button size="xs" variant="light" onClick={() => add(0)} data-add-layer="0">
        {T.addBefore}
      </Button>
      {stack.layers.map((layer, i) => (
        <LayerRow key={layer.figureUuid} layer={layer} index={i} stack={stack} write={write} />
      ))}
      <Button size="xs" variant="light" onClick={() => add(stack.layers.length)}>
        {T.addBehind}
      </Button>
      <Row>
        <NumberField
          pointer="#stack/width"
          label={T.width}
          unit="cm"
          value={stack.widthCm}
          write={(widthCm) => widthCm !== undefined && widthCm > 0 && set({ widthCm }, 'stack width')}
        />
        <NumberField
          pointer="#stack/height"
          label={T.height}
          unit="cm"
          value={stack.heightCm}
          write={(heightCm) => heightCm !== undefined && heightCm > 0 && set({ heightCm }, 'stack height')}
        />
        <NumberField
          pointer="#stack/start"
          label={T.start}
          unit="cm"
          value={stack.startCm}
          write={(startCm) => startCm !== undefined && set({ startCm }, 'stack start')}
        />
      </Row>
      <Text size="xs" c="dimmed">
        {T.length(lengthOf(stack))}
      </Text>
    </Stack>
  );
}

/** A tank of water as the first layer of a project without figures. */
function firstLayer(project: JsonObject, water: TableMaterial): JsonObject {
  const { project: listed, uuid } = withMaterial(project, water);
  const layer: Layer = { figureUuid: '', name: 'Water_tank', materialUuid: uuid, thicknessCm: 30 };
  return writeStack(listed, { layers: [layer], widthCm: 20, heightCm: 20, center: [0, 0], startCm: 0 });
}

type Write = (change: (stack: Layers, project: JsonObject) => [JsonObject, Layers], key?: string) => void;

interface RowProps {
  readonly layer: Layer;
  readonly index: number;
  readonly stack: Layers;
  readonly write: Write;
}

function LayerRow({ layer, index, stack, write }: RowProps) {
  const { store } = useEditor();
  const project = useProject();
  const figure = figuresOf(project).find(({ value }) => value.uuid === layer.figureUuid);
  const material = itemsAt(project, MATERIALS).find(({ value }) => value.uuid === layer.materialUuid)?.value;
  const change =
    (changed: Partial<Layer>) =>
    (now: Layers, before: JsonObject): [JsonObject, Layers] => [
      before,
      { ...now, layers: now.layers.map((one, i) => (i === index ? { ...one, ...changed } : one)) },
    ];
  const move = (by: number) =>
    write((now, before) => {
      const moved = now.layers.toSpliced(index, 1);
      return [before, { ...now, layers: moved.toSpliced(index + by, 0, layer) }];
    });
  const pointer = figure?.pointer ?? '#layer';
  return (
    <div className={classes.layer} data-layer={index}>
      <Row isFirstWide>
        <MaterialChoice
          label={T.material}
          icru={material === undefined ? undefined : numberAt(material, '/icru', Number.NaN)}
          name={textAt(material, '/name')}
          onChoose={(chosen) =>
            write((now, before) => {
              const { project: listed, uuid } = withMaterial(before, chosen);
              const [word = T.layer] = chosen.label.split(/[\s,]+/);
              return change({ materialUuid: uuid, name: word })(now, listed);
            })
          }
        />
        <NumberField
          pointer={`${pointer}/geometryData/parameters/depth`}
          label={T.thickness}
          unit="cm"
          step={0.1}
          value={layer.thicknessCm}
          write={(thicknessCm) =>
            thicknessCm !== undefined &&
            (thicknessCm > 0
              ? write(change({ thicknessCm }), `layer ${layer.figureUuid}`)
              : store.setDraft(`${pointer}/geometryData/parameters/depth`, String(thicknessCm)))
          }
        />
      </Row>
      <Group gap={2} className={classes.layerTools}>
        <Tool label={T.rise} path="M8 12V4M4 8l4-4 4 4" isOff={index === 0} onClick={() => move(-1)} />
        <Tool
          label={T.sink}
          path="M8 4v8M4 8l4 4 4-4"
          isOff={index === stack.layers.length - 1}
          onClick={() => move(1)}
        />
        <Tool
          label={T.remove}
          path="M4 4l8 8M12 4l-8 8"
          isOff={stack.layers.length === 1}
          onClick={() => write((now, before) => [before, { ...now, layers: now.layers.toSpliced(index, 1) }])}
        />
      </Group>
    </div>
  );
}

interface ToolProps {
  readonly label: string;
  /** Of the picture, 16 by 16. */
  readonly path: string;
  readonly isOff?: boolean;
  readonly onClick: () => void;
}

/** A small button with a picture. */
export function Tool({ label, path, isOff = false, onClick }: ToolProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" aria-label={label} disabled={isOff} onClick={onClick}>
        <svg
          width="16"
          height="16"
          viewBox="0 0 16 16"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.6"
          aria-hidden="true"
        >
          <path d={path} strokeLinecap="round" strokeLinejoin="round" />
        </svg>
      </ActionIcon>
    </Tooltip>
  );
}
