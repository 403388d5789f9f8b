import { Tabs } from '@mantine/core';
import { EDITOR_TEXTS } from '../../texts/editor.js';
import classes from '../editor.module.css';
import { useEditor } from '../editor-context.js';
import { BeamForm, PhysicsForm } from './beam-form.js';
import { DetectorsForm } from './detectors-form.js';
import { GeometryForm } from './geometry-form.js';
import { OutputsForm } from './outputs-form.js';
import { ProblemCount } from './part-list.js';
import { TextForm } from './text-form.js';

/** Parts of a project, each with a form. */
export const SECTIONS = ['beam', 'geometry', 'detectors', 'outputs', 'physics', 'text'] as const;
export type SectionName = (typeof SECTIONS)[number];

const PLACES: Readonly<Record<SectionName, readonly string[]>> = {
  beam: ['/beam'],
  geometry: ['/figureManager', '/zoneManager', '/materialManager'],
  detectors: ['/detectorManager'],
  outputs: ['/scoringManager'],
  physics: ['/physic', '/project', '/specialComponentsManager'],
  text: [],
};

/** The form that has a place of the project. */
export function sectionOf(pointer: string): SectionName {
  return (
    SECTIONS.find((name) => PLACES[name].some((place) => pointer === place || pointer.startsWith(`${place}/`))) ??
    'text'
  );
}

interface SectionsProps {
  readonly section: SectionName;
  readonly onSection: (section: SectionName) => void;
}

/** The forms of a project, one at a time; each says how many problems it has. */
export function Sections({ section, onSection }: SectionsProps) {
  const { isReadOnly } = useEditor();
  const panels: Readonly<Record<SectionName, React.ReactNode>> = {
    beam: <BeamForm />,
    geometry: <GeometryForm />,
    detectors: <DetectorsForm />,
    outputs: <OutputsForm />,
    physics: <PhysicsForm />,
    text: <TextForm />,
  };
  return (
    <Tabs
      value={section}
      onChange={(value) => onSection(SECTIONS.find((name) => name === value) ?? 'beam')}
      keepMounted={false}
    >
      <Tabs.List aria-label={EDITOR_TEXTS.page.sections} className={classes.tabs}>
        {SECTIONS.map((name) => (
          <Tabs.Tab key={name} value={name} rightSection={<ProblemCount under={PLACES[name]} />} px={9}>
            {EDITOR_TEXTS.page.tabs[name]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {SECTIONS.map((name) => (
        <Tabs.Panel key={name} value={name} pt="md">
          <fieldset disabled={isReadOnly} className={classes.fields}>
            {section === name && panels[name]}
          </fieldset>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
