import { Alert, Button, SegmentedControl, Stack } from '@mantine/core';
import { EDITOR_TEXTS } from '../../texts/editor.js';
import { useEditor, useProject, useValue } from '../editor-context.js';
import { findParticle, ionWith, isIon, PARTICLES, particleFor } from '../model/particles.js';
import { isObject, textAt, valueAt, withValueAt } from '../model/pointer.js';
import { ChoiceField, NumberField, PlaceProblems, Row, SwitchField, VectorField } from './fields.js';
import { SpotsForm } from './spots-form.js';

const T = EDITOR_TEXTS.beam;

/** Particle, energy, and where the beam goes: of one spot, or of a list of spots. */
export function BeamForm() {
  const { store } = useEditor();
  const project = useProject();
  const source = textAt(project, '/beam/sourceType') === 'file' ? 'file' : 'simple';
  const editor = textAt(project, '/project/simulator');
  const isHidden = editor !== '' && editor !== 'shieldhit';
  return (
    <Stack gap="sm">
      <Particle />
      <SegmentedControl
        fullWidth
        aria-label={T.source}
        data={[
          { value: 'simple', label: T.oneBeam },
          { value: 'file', label: T.spotList },
        ]}
        value={source}
        onChange={(value) => store.setAtPointer('/beam/sourceType', value)}
      />
      {isHidden && source === 'file' && (
        <Alert color="orange" variant="light">
          {T.hidden(editor)}
          <Button
            mt="xs"
            size="xs"
            variant="light"
            onClick={() => store.setAtPointer('/project/simulator', 'shieldhit')}
          >
            {T.show}
          </Button>
        </Alert>
      )}
      {source === 'file' ? <SpotsForm /> : <OneBeam />}
      <VectorField pointer="/beam/position" label={T.position} unit="cm" step={0.5} />
      <VectorField pointer="/beam/direction" label={T.direction} step={0.1} otherwise={[0, 0, 1]} />
      {source === 'simple' && <Optics />}
    </Stack>
  );
}

function Particle() {
  const { store } = useEditor();
  const particle = useValue('/beam/particle');
  const known = findParticle(particle);
  const name = known?.label ?? (textAt(particle, '/name') || T.otherParticle);
  return (
    <>
      <ChoiceField
        pointer="/beam/particle"
        label={T.particle}
        data={PARTICLES.map(({ label }) => ({ value: label, label }))}
        value={name}
        write={(chosen) => {
          const choice = PARTICLES.find(({ label }) => label === chosen);
          if (choice === undefined) return;
          store.edit((project) => {
            const changed = withValueAt(project, '/beam/particle', particleFor(choice, particle));
            // an energy per nucleon is one of nuclei
            return choice.a === 0 ? withValueAt(changed, '/beam/energyUnit', 'MeV') : changed;
          });
        }}
      />
      {isIon(particle) && isObject(particle) && (
        <Row>
          <NumberField
            pointer="/beam/particle/z"
            label={T.charge}
            isInteger
            write={(z) =>
              store.edit((project) => withValueAt(project, '/beam/particle', ionWith(particle, { z })), 'ion')
            }
          />
          <NumberField
            pointer="/beam/particle/a"
            label={T.mass}
            isInteger
            write={(a) =>
              store.edit((project) => withValueAt(project, '/beam/particle', ionWith(particle, { a })), 'ion')
            }
          />
        </Row>
      )}
    </>
  );
}

const SHAPES = ['Gaussian', 'Flat square', 'Flat circular'] as const;

function OneBeam() {
  const beam = useValue('/beam');
  const unit = textAt(beam, '/energyUnit') || 'MeV';
  const shape = textAt(beam, '/sigma/type') || 'Gaussian';
  const isNucleus = valueAt(beam, '/particle/a') !== 0;
  const sizes =
    shape === 'Gaussian' ? [T.sigmaX, T.sigmaY] : shape === 'Flat square' ? [T.halfX, T.halfY] : [undefined, T.radius];
  return (
    <>
      <Row>
        <NumberField pointer="/beam/energy" label={T.energy} unit={unit} step={1} otherwise={150} />
        <NumberField pointer="/beam/energySpread" label={T.spread} unit={unit} step={0.1} otherwise={1.5} />
        {isNucleus && (
          <ChoiceField
            pointer="/beam/energyUnit"
            label={T.unit}
            otherwise="MeV"
            data={[
              { value: 'MeV', label: T.mev },
              { value: 'MeV/nucl', label: T.perNucleon },
            ]}
          />
        )}
      </Row>
      <Row>
        <ChoiceField
          pointer="/beam/sigma/type"
          label={T.shape}
          otherwise="Gaussian"
          data={SHAPES.map((value) => ({ value, label: T.shapes[value] }))}
        />
        {sizes[0] !== undefined && (
          <NumberField pointer="/beam/sigma/x" label={sizes[0]} unit="cm" step={0.1} otherwise={0} />
        )}
        <NumberField pointer="/beam/sigma/y" label={sizes[1] ?? ''} unit="cm" step={0.1} otherwise={0} />
      </Row>
    </>
  );
}

/** What few beams have: behind a fold, so that it does not stand in a beginner's way. */
function Optics() {
  return (
    <details>
      <summary>{T.further}</summary>
      <Stack gap="sm" mt="xs">
        <Row>
          <NumberField pointer="/beam/divergence/x" label={T.divergenceX} unit="mrad" otherwise={0} />
          <NumberField pointer="/beam/divergence/y" label={T.divergenceY} unit="mrad" otherwise={0} />
          <NumberField pointer="/beam/divergence/distanceToFocal" label={T.focal} unit="cm" otherwise={0} />
        </Row>
        <Row>
          <NumberField pointer="/beam/energyLowCutoff" label={T.lowCutoff} unit="MeV" otherwise={0} />
          <NumberField pointer="/beam/energyHighCutoff" label={T.highCutoff} unit="MeV" isOptional />
        </Row>
        <PlaceProblems pointer="/beam/divergence" />
      </Stack>
    </details>
  );
}

/** What is simulated of physics, and how. */
export function PhysicsForm() {
  const simulators = ['common', 'shieldhit', 'fluka', 'geant4'] as const;
  const t = EDITOR_TEXTS.physics;
  return (
    <Stack gap="sm">
      <SwitchField pointer="/physic/enableNuclearReactions" label={t.nuclear} otherwise />
      <Row>
        <ChoiceField
          pointer="/physic/energyModelStraggling"
          label={t.straggling}
          otherwise="Vavilov"
          data={['Vavilov', 'Gaussian', 'no straggling'].map((value) => ({ value, label: value }))}
        />
        <ChoiceField
          pointer="/physic/multipleScattering"
          label={t.scattering}
          otherwise="Moliere"
          data={[
            { value: 'Moliere', label: t.moliere },
            { value: 'Gaussian', label: t.gaussian },
            { value: 'no scattering', label: t.noScattering },
          ]}
        />
      </Row>
      <Row>
        <NumberField pointer="/physic/energyLoss" label={t.loss} step={0.01} otherwise={0.03} />
        <ChoiceField
          pointer="/physic/stoppingPowerTable"
          label={t.table}
          otherwise="ICRU91"
          data={[
            { value: 'ICRU91', label: t.icru90 },
            { value: 'ICRU49', label: t.icru49 },
          ]}
        />
      </Row>
      <ChoiceField
        pointer="/project/simulator"
        label={t.editor}
        description={t.editorHint}
        otherwise="common"
        data={simulators.map((value) => ({ value, label: t.editors[value] }))}
      />
      <PlaceProblems pointer="/physic" />
      <PlaceProblems pointer="/specialComponentsManager" />
    </Stack>
  );
}
