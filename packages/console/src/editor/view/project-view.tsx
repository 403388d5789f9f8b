import {
  Button,
  Group,
  NumberInput,
  SegmentedControl,
  Select,
  Slider,
  Text,
  useComputedColorScheme,
} from '@mantine/core';
import { useDebouncedValue, useElementSize } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { EDITOR_TEXTS } from '../../texts/editor.js';
import { ask } from '../check/ask.js';
import type { Section, SectionPlane } from '../check/messages.js';
import classes from '../editor.module.css';
import { useEditor, useEditorState, useProject } from '../editor-context.js';
import { boundsOf, matterBounds, roundCm } from '../model/bounds.js';
import { identityOf } from '../model/identity.js';
import { colorOf } from '../model/materials.js';
import { WORLD } from '../model/places.js';
import { type JsonObject, textAt, valueAt, vectorAt } from '../model/pointer.js';
import { type HandleMode, modesOf } from './handles.js';
import { createStage, type Stage } from './stage.js';

const T = EDITOR_TEXTS.view;
const SNAPS = [0, 0.1, 0.5, 1];
/** Points along the longer side of a section. */
const SECTION_POINTS = 320;
/** How long nothing moves before a section is cut. */
const SETTLED_MS = 120;
const AXIS_NAMES = ['x', 'y', 'z'] as const;
type Axis = 0 | 1 | 2;

interface ViewProps {
  /** Where the page gets a small picture of the project from. */
  readonly pictureRef: RefObject<(() => string | undefined) | undefined>;
}

/** The project in three dimensions, to pick, move, turn and size its parts, and to cut through it. */
export function ProjectView({ pictureRef }: ViewProps) {
  const box = useRef<HTMLDivElement>(null);
  const stage = useRef<Stage | undefined>(undefined);
  const isDark = useComputedColorScheme('light') === 'dark';
  const project = useProject();
  const { isReadOnly } = useEditor();
  const picked = useEditorState((state) => state.selected);
  const selected = isReadOnly ? undefined : picked; // there are no handles
  const [mode, setMode] = useState<HandleMode>('translate');
  const [snap, setSnap] = useState(0.1);
  const [axis, setAxis] = useState<Axis | undefined>();
  const [at, setAt] = useState<number | undefined>();
  const section = useSection(project, axis, at);
  const hasFailed = useStage(box, stage, pictureRef, isDark);
  useEffect(() => stage.current?.show(project, selected), [project, selected, isDark]);
  useEffect(() => stage.current?.setMode(mode), [mode, isDark]);
  useEffect(() => stage.current?.setSnap(snap), [snap, isDark]);
  useEffect(() => stage.current?.showSection(section.found), [section.found, isDark]);
  const modes = modesOf(selected);
  return (
    <div className={classes.view}>
      <Group className={classes.viewTools} gap="sm">
        <SegmentedControl
          size="xs"
          aria-label={T.tools}
          data={[
            { value: 'translate', label: T.move },
            { value: 'rotate', label: T.turn, disabled: selected !== undefined && !modes.includes('rotate') },
            { value: 'scale', label: T.size, disabled: selected !== undefined && !modes.includes('scale') },
          ]}
          value={mode}
          onChange={(value) => setMode(value === 'rotate' || value === 'scale' ? value : 'translate')}
        />
        <Select
          size="xs"
          w={104}
          aria-label={T.snap}
          allowDeselect={false}
          data={SNAPS.map((cm) => ({ value: String(cm), label: cm === 0 ? T.snapOff : `${cm} cm` }))}
          value={String(snap)}
          onChange={(value) => setSnap(Number(value))}
        />
        <Button size="xs" variant="default" onClick={() => stage.current?.fit()}>
          {T.fit}
        </Button>
        <SectionTools
          project={project}
          axis={axis}
          at={section.at}
          onAxis={(next) => {
            setAxis(next);
            setAt(undefined);
          }}
          onAt={setAt}
          onStraight={() => stage.current?.fit(axis)}
        />
      </Group>
      <div ref={box} className={classes.canvas} role="img" aria-label={T.label} data-view>
        {hasFailed && (
          <Text c="dimmed" p="md" size="sm">
            {T.none}
          </Text>
        )}
        <Legend project={project} selected={selected} section={section.found} fault={section.fault} />
      </div>
    </div>
  );
}

/** Puts a stage into an element. @returns whether that failed */
function useStage(
  box: RefObject<HTMLDivElement | null>,
  stage: RefObject<Stage | undefined>,
  pictureRef: ViewProps['pictureRef'],
  isDark: boolean,
): boolean {
  const { store } = useEditor();
  const [hasFailed, setHasFailed] = useState(false);
  useEffect(() => {
    if (box.current === null) return;
    try {
      const made = createStage(box.current, isDark, { onPick: store.select, onMove: store.edit });
      stage.current = made;
      pictureRef.current = made.picture;
      const { project: now, selected: picked } = store.getState();
      made.show(now, picked);
      return () => {
        stage.current = undefined;
        pictureRef.current = undefined;
        made.dispose();
      };
    } catch {
      setHasFailed(true); // no WebGL here: everything else works
      return undefined;
    }
  }, [box, stage, isDark, store, pictureRef]);
  return hasFailed;
}

/** A section through the project as it is, cut by the engine once nothing moves; the one before stays meanwhile. */
function useSection(project: JsonObject, axis: Axis | undefined, wanted: number | undefined) {
  const at =
    axis === undefined ? 0 : (wanted ?? roundCm(vectorAt(project, '/beam/position')[axis] + (axis === 2 ? 5 : 0)));
  const asked = { project, axis, at };
  const [settled] = useDebouncedValue(asked, SETTLED_MS);
  const query = useQuery({
    queryKey: ['section', identityOf(settled.project), settled.axis, settled.at],
    queryFn: () =>
      ask('section', { project: settled.project, plane: planeOf(settled.project, settled.axis ?? 0, settled.at) }),
    enabled: axis !== undefined && settled.axis !== undefined,
    placeholderData: (before) => before,
    gcTime: 0,
    retry: false,
  });
  if (axis === undefined) return { at, found: undefined, fault: undefined };
  const found = query.data?.plane.axis === axis ? query.data : undefined;
  return { at, found: query.isError ? undefined : found, fault: query.error?.message };
}

function planeOf(project: JsonObject, axis: Axis, at: number): SectionPlane {
  const { lower, upper } = extentOf(project);
  const [first, second] = ([0, 1, 2] as const).filter((one) => one !== axis);
  const ends = (side: typeof lower): readonly [number, number] => [side[first ?? 0], side[second ?? 0]];
  return { axis, at, lower: ends(lower), upper: ends(upper), points: SECTION_POINTS };
}

/** All of the world, where it has a size of its own. */
function extentOf(project: JsonObject) {
  const world = valueAt(project, WORLD);
  const isStated = valueAt(world, '/geometryData') !== undefined && valueAt(world, '/autoCalculate') !== true;
  return isStated ? boundsOf(world) : matterBounds(project);
}

interface SectionProps {
  readonly project: JsonObject;
  readonly axis: Axis | undefined;
  readonly at: number;
  readonly onAxis: (axis: Axis | undefined) => void;
  readonly onAt: (at: number) => void;
  readonly onStraight: () => void;
}

function SectionTools({ project, axis, at, onAxis, onAt, onStraight }: SectionProps) {
  const { ref, width } = useElementSize();
  const { lower, upper } = extentOf(project);
  const own = axis ?? 0;
  return (
    <Group gap="xs" ref={ref} flex={axis === undefined ? '0 0 auto' : '1 1 100%'} wrap="nowrap">
      <Select
        size="xs"
        w={168}
        aria-label={T.section}
        allowDeselect={false}
        data={[
          { value: 'off', label: `${T.section}: ${T.sectionOff}` },
          ...AXIS_NAMES.map((name, i) => ({ value: String(i), label: `${T.section} ${T.across(name)}` })),
        ]}
        value={axis === undefined ? 'off' : String(axis)}
        onChange={(value) => onAxis(value === '0' ? 0 : value === '1' ? 1 : value === '2' ? 2 : undefined)}
      />
      {axis !== undefined && (
        <>
          {width > 420 && (
            <Slider
              size="sm"
              flex={1}
              miw={80}
              min={lower[own]}
              max={upper[own]}
              step={0.1}
              label={null}
              thumbLabel={T.at}
              value={at}
              onChange={onAt}
            />
          )}
          <NumberInput
            size="xs"
            w={84}
            aria-label={T.at}
            step={0.5}
            value={at}
            onChange={(value) => typeof value === 'number' && onAt(value)}
          />
          <Button size="xs" variant="default" onClick={onStraight}>
            {T.straight}
          </Button>
        </>
      )}
    </Group>
  );
}

interface LegendProps {
  readonly project: JsonObject;
  readonly selected: string | undefined;
  readonly section: Section | undefined;
  readonly fault: string | undefined;
}

/** What is picked, what the colours of a section mean, or how to begin. */
function Legend({ project, selected, section, fault }: LegendProps) {
  const picked = selected === '/beam' ? T.beam : textAt(project, `${selected ?? '/-'}/name`);
  return (
    <div className={classes.legend} data-legend>
      {fault !== undefined && <Text size="xs">{T.noSection(fault)}</Text>}
      {section !== undefined && (
        <Group gap="sm">
          {section.materials.map(({ name, icru }) => (
            <Group gap={6} key={`${icru} ${name}`} wrap="nowrap" data-material={icru}>
              <span
                className={classes.swatch}
                style={{ background: `#${colorOf(icru).toString(16).padStart(6, '0')}` }}
              />
              <span>{name}</span>
            </Group>
          ))}
        </Group>
      )}
      <span>{selected === undefined || picked === '' ? T.hint : T.picked(picked)}</span>
    </div>
  );
}
