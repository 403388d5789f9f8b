// Names of the materials that every simulator knows.
import { GENERATED, quote } from './python-text.mjs';

export function writeMaterials(materials) {
  const lines = materials.map(
    ({ icru, name, densityGcm3 }) => `    ${quote(name.toLowerCase())}: (${icru}, ${densityGcm3}),`,
  );
  return `${GENERATED("the engine's library of materials")}"""Materials of the library of ICRU: name, number, and density in g/cm³."""

LIBRARY: dict[str, tuple[int, float]] = {
${lines.join('\n')}
}
`;
}
