import { EDITOR_TEXTS } from '../../texts/editor.js';
import type { Shape } from '../model/bounds.js';
import { NumberField, Row } from './fields.js';

const T = EDITOR_TEXTS.geometry;

/** Full lengths of a box, radii and length of a cylinder, radius of a sphere. */
export function Sizes({ pointer, shape }: { readonly pointer: string; readonly shape: Shape }) {
  const field = (name: string, label: string) => (
    <NumberField
      pointer={`${pointer}/${name}`}
      label={label}
      unit="cm"
      step={0.1}
      otherwise={name === 'innerRadius' ? 0 : undefined}
    />
  );
  switch (shape) {
    case 'box':
      return (
        <Row>
          {field('width', T.width)}
          {field('height', T.height)}
          {field('depth', T.depth)}
        </Row>
      );
    case 'cylinder':
      return (
        <Row>
          {field('radius', T.radius)}
          {field('innerRadius', T.innerRadius)}
          {field('depth', T.length)}
        </Row>
      );
    case 'sphere':
      return <Row>{field('radius', T.radius)}</Row>;
  }
}
