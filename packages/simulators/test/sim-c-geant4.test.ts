import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findMaterial } from '@tally/engine';
import { findPythonTool } from '@tally/testkit';
import { ConversionError } from '../src/conversion-error.js';
import type { Project } from '../src/project/project.js';
import { readProject } from '../src/project/read-project.js';
import { convert } from '../src/sim-c/deck/convert.js';
import { readOutputs } from '../src/sim-c/output/outputs.js';
import type { Json } from './build-project.js';
import { findVolume, readSimCGeometry } from './decks/read-sim-c-geometry.js';
import { GOLDEN_PROJECTS } from './golden/projects.js';
import { createProjectLocator, type Point } from './zones/locate-in-project.js';
import { POINTS, randomPoints, regionOf } from './zones/sample-points.js';
import { EXTENDED_PROJECTS, PROJECTS } from './zones/zone-projects.js';

const geant4 = findPythonTool('geant4');
const LOCATE = path.join(import.meta.dirname, 'python/locate-in-geant4.py');
const WRITE_HISTOGRAMS = path.join(import.meta.dirname, 'python/write-histograms.py');
const EXAMPLES = path.join(import.meta.dirname, '../../../examples');
/** The box of vacuum that a world may stand in, and what is in it. */
const SURROUNDINGS = 'logicSurroundings';
const VACUUM = 'G4_Galactic';
/** What is where in these is not in the project's own words: the world is calculated, figures stick out of parents. */
const WORDLESS = ['calculated-world', 'overlapping-tree'];
/** The test's own and Geant4's surfaces lie where 64-bit numbers of either put them. */
const PRECISION = 1e-9;
const BLACK_HOLE_G_CM3 = 1e8;

/** As locate-in-geant4.py writes it. */
interface Located {
  readonly volumes: readonly {
    readonly name: string;
    readonly material: string;
    readonly densityGcm3: number;
    readonly ionisationEv: number;
    readonly fractions: readonly (readonly [charge: number, fraction: number])[];
  }[];
  readonly overlaps: readonly string[];
}

interface Geometry {
  readonly names: string[];
  /** Says what has to be found. */
  readonly project: Project;
  readonly gdml: string;
}

/** Of all projects, each geometry once; where the scoring is refused, that of the geometry alone is converted. */
function listGeometries(): { geometries: Geometry[]; refused: string[] } {
  const examples = readdirSync(EXAMPLES)
    .filter((name) => name.endsWith('.json'))
    .map((name): [string, Json] => [name, JSON.parse(readFileSync(path.join(EXAMPLES, name), 'utf8')) as Json]);
  const geometries = new Map<string, Geometry>();
  const refused: string[] = [];
  for (const [name, json] of [...Object.entries(PROJECTS), ...examples]) {
    const gdml = convertGeometry(json) ?? convertGeometry(geometryAlone(json));
    const known = gdml === undefined ? undefined : geometries.get(gdml);
    if (gdml === undefined) refused.push(name);
    else if (known !== undefined) known.names.push(name);
    else geometries.set(gdml, { gdml, names: [name], project: readProject(EXTENDED_PROJECTS[name] ?? json) });
  }
  return { geometries: [...geometries.values()], refused };
}

/** With beam, physics and scoring that every simulator takes. */
function geometryAlone(json: Json): Json {
  const { beam, physic, detectorManager, scoringManager } = GOLDEN_PROJECTS['water-tank'] ?? {};
  return { ...json, beam, physic, detectorManager, scoringManager, specialComponentsManager: {} };
}

function convertGeometry(json: Json): string | undefined {
  try {
    return convert(readProject(json)).files['geometry.gdml'] ?? '';
  } catch (err) {
    if (!(err instanceof ConversionError)) throw err;
    return undefined;
  }
}

const { geometries, refused } = listGeometries();
const cases = geometries.map((geometry, index) => ({ ...geometry, index, title: geometry.names[0] }));
const reason = geant4 === undefined ? ' (skipped: no geant4-pybind; npm test installs it where it can)' : '';

(geant4 === undefined ? describe.skip : describe)(`a real Geant4${reason}`, () => {
  let folder = '';
  let written = '';
  let output = '';

  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'tally-geant4-'));
    written = path.join(folder, 'written');
    mkdirSync(written);
    for (const { index, project, gdml } of cases) {
      writeFileSync(path.join(folder, `${index}.gdml`), gdml);
      writeFileSync(path.join(folder, `${index}.points`), Float64Array.from(randomPoints(regionOf(project)).flat()));
    }
    const found = spawnSync(geant4?.python ?? '', [LOCATE, folder], { encoding: 'utf8' });
    output = found.stdout + found.stderr;
    if (found.status !== 0) throw new Error(`Geant4 ended with ${found.status}: ${output.slice(-2000)}`);
  }, 600_000);

  it('writes histograms, which are read, and other things, which are left out', async () => {
    const { status, stderr } = spawnSync(geant4?.python ?? '', [WRITE_HISTOGRAMS], { cwd: written, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    writeFileSync(path.join(written, 'run.mac'), '/run/beamOn 2\n');
    const folderOfRun = {
      names: readdirSync(written),
      read: (name: string) => Promise.resolve(readFileSync(path.join(written, name))),
    };
    const { pages, warnings } = await readOutputs(folderOfRun, 'Geant4', 2);
    const shown = pages.map(({ fileName, pageName, axes, moments }) => [
      fileName,
      pageName,
      axes.map(({ name, unit, centers }) => [name, unit, ...centers]),
      moments.map((numbers) => [...numbers]),
    ]);
    expect(shown).toEqual([
      ['run_h1_edges.csv', 'edges', [['axis 1', '1', 0.5, 3, 7]], [[0, 1, 0], [0, 1, 0]]],
      ['run_h1_fixed.csv', 'a title, with a comma', [['depth', '1', 1.25, 3.75, 6.25, 8.75]], [[0, 2.5, 0, 0], [0, 4.25, 0, 0]]],
      ['run_h1_log.csv', 'energies', [['axis 1', 'MeV', Math.sqrt(10), Math.sqrt(1000)]], [[0, 4], [0, 16]]],
      ['run_h2_map.csv', 'map', [['axis 1', '1', 0.5, 1.5], ['axis 2', '1', 0.5, 1.5, 2.5]], [[0, 7, 0, 0, 8, 0], [0, 49, 0, 0, 64, 0]]],
      ['run_h3_space.csv', 'space', [['axis 1', '1', 0.5, 1.5], ['axis 3', '1', 1, 3]], [[0, 0, 0, 9], [0, 0, 0, 81]]],
    ]); // biome-ignore format: one histogram a line
    expect(warnings?.filter(({ code }) => code === 'OUTPUT_LEFT_OUT').map(({ message }) => message)).toEqual([
      'run_nt_rows.csv: holds tools::wcsv::ntuple: only histograms are shown',
      'run_p1_profile.csv: holds tools::histo::p1d: only histograms are shown',
    ]);
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('reads the geometry of every project, and complains of none', () => {
    expect(refused).toEqual([]);
    expect(output.split('\n').filter((line) => /G4Exception|G4GDML: (?:Error|Warning)/.test(line))).toEqual([]);
  });

  it.each(cases)(
    `has the same volume and material at ${POINTS} points of $title`,
    ({ index, names, project, gdml }) => {
      const { volumes, overlaps } = JSON.parse(readFileSync(path.join(folder, `${index}.json`), 'utf8')) as Located;
      const bytes = readFileSync(path.join(folder, `${index}.found`));
      const geometry = readSimCGeometry(gdml);
      expect(overlaps).toEqual([]);
      for (const { name, material, ...properties } of volumes) {
        expect(geometry.volumes.get(name)?.material).toBe(material);
        const ours = geometry.materials.get(material);
        if (material === VACUUM) continue;
        expect(properties.densityGcm3).toBeCloseTo(ours?.densityGcm3 ?? Number.NaN, 9);
        expect(properties.ionisationEv).toBeCloseTo(ours?.ionisationEv ?? Number.NaN, 9);
        expect(properties.fractions.map(([charge]) => charge)).toEqual([...(ours?.fractions.keys() ?? [])]);
      }
      const locate = names.some((name) => WORDLESS.includes(name)) ? undefined : createProjectLocator(project);
      const faults = randomPoints(regionOf(project)).flatMap((point, at) => {
        const found = volumes[bytes.readInt32LE(4 * at)];
        const text = faultAt(point, found);
        return text === undefined ? [] : [`${point.join(' ')}: ${text}`];
      });
      expect(faults).toEqual([]);

      /** What is wrong at a point where Geant4 has found a volume. */
      function faultAt(point: Point, found: Located['volumes'][number] | undefined): string | undefined {
        const ours = findVolume(geometry, point);
        if (ours !== found?.name) return `${found?.name ?? 'outside'} instead of ${ours ?? 'outside'}`;
        if (locate === undefined) return undefined;
        const place = locate(point);
        const isOutside = found === undefined || found.name === SURROUNDINGS;
        if (place === undefined || isOutside) return isOutside === (place === undefined) ? undefined : 'the world ends';
        const library = place.icru === 0 ? BLACK_HOLE_G_CM3 : (findMaterial(place.icru)?.densityGcm3 ?? 0);
        const density = place.density > 0 && place.icru !== 0 ? place.density : library;
        const isSame = found.material === VACUUM ? density === 0 : isNear(found.densityGcm3, density);
        return isSame ? undefined : `${found.densityGcm3} g/cm³ of ${found.material} instead of ${density}`;
      }
    },
  );
});

function isNear(left: number, right: number): boolean {
  return Math.abs(left - right) <= PRECISION * Math.abs(right);
}
