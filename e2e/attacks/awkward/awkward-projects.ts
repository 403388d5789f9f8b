import { exampleProject } from '../../fixtures/suite-fixture.js';
import { between, pick, type Random, times } from './draw.js';

/*
 * Projects of the editor that are honest and awkward: each is one that a user could save, and asks for more than it looks like.
 */

type Json = Record<string, unknown>;
interface Example {
  project: Json & { simulator: string };
  figureManager: { figures: Json[] };
  zoneManager: { zones: Json[]; worldZone: Json & { geometryData: Json } };
  materialManager: { materials: readonly { readonly uuid: string }[] };
  detectorManager: { detectors: readonly { readonly uuid: string }[] };
  scoringManager: { filters: Json[]; outputs: Json[] };
}

const example = () => exampleProject('proton-150mev-water', 100) as unknown as Example;
const MODES = ['union', 'intersection', 'subtraction', 'reverse-subtraction'];
const WORLD = {
  geometryType: 'BoxGeometry',
  position: [0, 0, 10],
  rotation: [0, 0, 0],
  parameters: { width: 40, height: 40, depth: 40 },
};

const figure = (
  uuid: string,
  name: string,
  shape: string,
  position: readonly number[],
  parameters: Json,
  rotation = [0, 0, 0],
): Json => ({
  type: `${shape}Figure`,
  uuid,
  name,
  visible: true,
  geometryData: {
    geometryType: `${shape === 'Cylinder' ? 'HollowCylinder' : shape}Geometry`,
    position,
    rotation,
    parameters,
  },
  userData: {},
});

function withGeometry(
  figures: Json[],
  operations: readonly (readonly { mode: string; objectUuid: string }[])[],
  nameOf: (at: number) => string,
): Json {
  const project = example();
  const [material] = project.materialManager.materials;
  project.figureManager.figures = figures;
  project.zoneManager.worldZone.geometryData = WORLD;
  project.zoneManager.zones = operations.map((term, at) => ({
    uuid: `zone-${at}`,
    name: nameOf(at),
    type: 'BooleanZone',
    materialUuid: material?.uuid,
    unionOperations: [term],
  }));
  return project as unknown as Json;
}

/** Bodies of all shapes and turns in a volume of so many radii, in zones of a few operations each. */
function overlapping(random: Random): Json {
  const count = between(random, 8, 300);
  const reach = between(random, 1, 10);
  const place = () => [0, 0, 10].map((middle) => middle + (random() - 0.5) * reach);
  const turn = () => [random() * 90, random() * 90, 0];
  const size = () => 0.2 + random();
  const figures = times(count, (at) => {
    const shape = pick(['Sphere', 'Box', 'Cylinder'], random);
    if (shape === 'Sphere') return figure(`f${at}`, `sphere ${at}`, shape, place(), { radius: size() });
    if (shape === 'Box')
      return figure(`f${at}`, `box ${at}`, shape, place(), { width: size(), height: size(), depth: size() }, turn());
    const radius = size();
    return figure(
      `f${at}`,
      `tube ${at}`,
      shape,
      place(),
      { innerRadius: radius * random(), radius, depth: size() },
      turn(),
    );
  });
  const longest = between(random, 1, Math.min(count, 60));
  const any = () => `f${between(random, 0, count - 1)}`;
  const operations = times(between(random, 1, count), () =>
    times(between(random, 1, longest), (at) => ({ mode: at === 0 ? 'union' : pick(MODES, random), objectUuid: any() })),
  );
  return withGeometry(figures, operations, (at) => `zone ${at}`);
}

/** Spheres that all cut each other, with one name, in zones that take them in turn: small to send. */
function heaped(random: Random): Json {
  const count = between(random, 20, 60);
  const zoneCount = between(random, 2, count);
  const figures = times(count, (at) =>
    figure(
      `f${at}`,
      'sphere',
      'Sphere',
      [0.3 * Math.sin(at * 7.3), 0.3 * Math.cos(at * 3.1), 10 + 0.3 * Math.sin(at)],
      { radius: 1 },
    ),
  );
  const operations = times(zoneCount, (zone) =>
    times(between(random, 1, 2 * count), (at) => ({
      mode: at === 0 ? 'union' : pick(MODES, random),
      objectUuid: `f${(zone + 5 * at) % count}`,
    })),
  );
  return withGeometry(figures, operations, () => 'zone');
}

/** As many figures as a project may have, apart from each other or shell in shell. */
function many(random: Random): Json {
  const count = between(random, 300, 900);
  const isShell = random() < 0.5;
  const figures = times(count, (at) =>
    isShell
      ? figure(`f${at}`, 'shell', 'Sphere', [0, 0, 10], { radius: (9 * (at + 1)) / count })
      : figure(`f${at}`, 'ball', 'Sphere', [(at % 10) - 5, (Math.floor(at / 10) % 10) - 5, 1 + Math.floor(at / 100)], {
          radius: 0.4,
        }),
  );
  return withGeometry(
    figures,
    figures.map((_, at) => [{ mode: 'union', objectUuid: `f${at}` }]),
    (at) => `zone ${at}`,
  );
}

/** Figures in figures, deep and wide. */
function nested(random: Random): Json {
  const project = example();
  const depth = between(random, 1, 49);
  const water = { name: 'WATER, LIQUID', icru: 276, density: 1 };
  let inner: Json[] = times(between(random, 1, 400), (at) => ({
    ...figure(`leaf${at}`, 'leaf', 'Box', [0, 0, (at % 20) / 100], { width: 0.01, height: 0.01, depth: 0.01 }),
    simulationMaterial: water,
  }));
  for (let level = depth; level >= 0; level -= 1) {
    const side = 20 * (1 - level / 60);
    const around = figure(`level${level}`, 'level', 'Box', [0, 0, 0], { width: side, height: side, depth: side });
    inner = [{ ...around, children: inner, simulationMaterial: water }];
  }
  project.project.simulator = 'geant4';
  project.figureManager.figures = inner;
  return project as unknown as Json;
}

/** Quantities with filters of many rules, axes of many bins, and keywords that nobody supports. */
function scoring(random: Random): Json {
  const project = example();
  const rule = () => ({
    uuid: `r${random()}`,
    keyword: pick(['Z', 'A', 'E', 'GEN'], random),
    operator: pick(['==', '>=', '<'], random),
    value: between(random, 0, 100),
  });
  const filters = times(between(random, 1, 40), (at) => ({
    uuid: `filter-${at}`,
    name: 'filter',
    type: 'Filter',
    rules: times(between(random, 1, 200), rule),
  }));
  const axis = () => ({
    uuid: `m${random()}`,
    diffType: pick(['E', 'LET', 'ANGLE'], random),
    lowerLimit: 0,
    upperLimit: between(random, 1, 1000),
    binsNumber: between(random, 1, 2_000),
    isLog: random() < 0.3,
  });
  const keywords = ['Dose', 'Fluence', 'dLET', 'tLET', 'Spectrum', 'NKERMA', 'Zeff2Beta2', 'nothing that there is'];
  const quantity = (name: string) => () => ({
    uuid: `q${random()}`,
    name,
    type: 'Quantity',
    keyword: pick(keywords, random),
    ...(random() < 0.7 ? { filter: pick(filters, random).uuid } : {}),
    modifiers: times(between(random, 0, 2), axis),
  });
  const detectors = project.detectorManager.detectors;
  project.scoringManager.filters = filters;
  project.scoringManager.outputs = times(between(random, 1, 40), (at) => ({
    uuid: `output-${at}`,
    name: 'output',
    type: 'Output',
    geometry: 'Depth',
    detectorUuid: pick(detectors, random).uuid,
    quantities: times(between(random, 1, 20), quantity('quantity')),
  }));
  return project as unknown as Json;
}

/** Project and what is awkward about it. */
export function drawProject(random: Random): { readonly what: string; readonly simData: Json } {
  const kinds = { overlapping, heaped, many, nested, scoring };
  const [what, make] = pick(Object.entries(kinds), random);
  return { what: `a project, ${what}`, simData: make(random) };
}
