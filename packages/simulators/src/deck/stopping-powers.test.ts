import { describe, expect, it } from '@jest/globals';
import type { TransportProblem } from '@tally/engine';
import { buildProject, IDS, type Json } from '../../test/build-project.js';
import { readProject } from '../project/read-project.js';
import { createReferenceDriver } from '../reference/reference-driver.js';
import { findDriver } from '../registry.js';
import { adoptForReference } from '../sim-a/reference/read-deck.js';
import { SIM_TYPES, type SimType } from '../sim-type.js';

const FILE = { 276: { icru: 276, name: 'Water.txt', content: 'energy dedx\n1.0 260.6\n' } };
/** What the editor stores when someone asks for custom stopping powers of the water of the first zone. */
const ASKING: Json = {
  '/zoneManager/zones/0/customMaterial': { uuid: IDS.water, name: 'WATER, LIQUID', icru: 276, density: 1 },
  '/zoneManager/zones/0/materialPropertiesOverrides': { customStoppingPower: true },
  '/physic/availableStoppingPowerFiles': FILE,
};
const OWN_EV: Readonly<Record<SimType, number>> = { simA: 75, simB: 75, simC: 78, simD: 78 };
const TABLES = [
  ['ICRU49', 'icru49', 75],
  ['ICRU91', 'icru90', 78],
] as const;

function convertFor(simType: SimType, changes: Json) {
  const { files, warnings } = findDriver(simType, 'editor', new Map([[simType, '']])).convert(
    readProject(buildProject(changes)),
  );
  return { text: Object.values(files).join('\n'), files, codes: warnings.map(({ code }) => code) };
}

function problemFor(simType: SimType, changes: Json): TransportProblem {
  const { files } = createReferenceDriver(simType).convert(readProject(buildProject(changes)));
  return JSON.parse(files['problem.json'] ?? '') as TransportProblem;
}

/** Mean excitation energies that a deck states for water, eV; none: the simulator takes its own. */
function statedEv(simType: SimType, text: string): number[] {
  const patterns: Readonly<Record<SimType, RegExp>> = {
    simA: /^LOADDEDX()/gm,
    simB: /^MAT-PROP +0\.0 +0\.0 +([\d.]+) /gm,
    simC: /<MEE unit="eV" value="(7[58])"/g,
    simD: /MeanExcitationEnergy = (7[58])(?:\.0)? eV/g,
  };
  return [...text.matchAll(patterns[simType])].map(([, value]) => Number(value));
}

describe.each(SIM_TYPES)('stopping powers of %s', (simType) => {
  it.each(TABLES)('are its own where no zone asks for others, whatever table the project names: %s', (...[table]) => {
    const changes = { '/physic/stoppingPowerTable': table };
    const { text, codes } = convertFor(simType, changes);
    const stated = statedEv(simType, text);
    expect(new Set(stated)).toEqual(new Set(simType === 'simA' || simType === 'simB' ? [] : [OWN_EV[simType]]));
    expect(problemFor(simType, changes)).toMatchObject({
      physics: { stoppingPowerTable: OWN_EV[simType] === 75 ? 'icru49' : 'icru90' },
    });
    for (const material of problemFor(simType, changes).materials)
      expect(material).not.toHaveProperty('stoppingPowerTable');
    // what is set and means nothing is said; ICRU 90 is what the editor has set itself
    expect(codes.includes('STOPPING_POWER_TABLE_UNUSED')).toBe(table === 'ICRU49');
  });

  it.each(TABLES)('are by the table %s where a zone asks for it, and only there', (table, engineTable, ionisation) => {
    const changes = {
      ...ASKING,
      '/physic/stoppingPowerTable': table,
      '/zoneManager/worldZone/materialUuid': IDS.water,
    };
    const { text, codes } = convertFor(simType, changes);
    const stated = statedEv(simType, text);
    if (simType === 'simA') expect(stated).toHaveLength(1);
    else if (simType === 'simB') expect(stated).toEqual([ionisation]);
    else expect(new Set(stated)).toEqual(new Set([ionisation, OWN_EV[simType]]));
    const { materials } = problemFor(simType, changes);
    expect(materials.filter(({ icru }) => icru === 276).map((material) => material.stoppingPowerTable)).toEqual([
      engineTable,
      undefined,
    ]);
    expect(codes).not.toContain('STOPPING_POWER_TABLE_UNUSED');
  });
});

describe('stopping powers of a deck of simA on the built-in engine', () => {
  it.each(TABLES)('are those of the project, by its table %s', (...[table]) => {
    const changes = {
      ...ASKING,
      '/physic/stoppingPowerTable': table,
      '/zoneManager/worldZone/materialUuid': IDS.water,
    };
    const { files } = convertFor('simA', changes);
    const adopted = JSON.parse(adoptForReference(files).files['problem.json'] ?? '') as TransportProblem;
    const tablesOf = ({ materials, zones, world }: TransportProblem) =>
      [...zones, world].map(({ material }) => materials[material]?.stoppingPowerTable);
    expect(tablesOf(adopted)).toEqual(tablesOf(problemFor('simA', changes)));
    expect(adopted.physics.stoppingPowerTable).toBe('icru49');
  });

  it('are those of SHIELD-HIT12A where the deck says nothing', () => {
    const { files } = convertFor('simA', {});
    const adopted = JSON.parse(adoptForReference(files).files['problem.json'] ?? '') as TransportProblem;
    expect(adopted.physics.stoppingPowerTable).toBe('icru49');
  });
});

it('asks for nothing silently in projects of FLUKA, where the editor has no form of the table', () => {
  const changes = { '/project/simulator': 'fluka', '/physic/stoppingPowerTable': 'ICRU49' };
  expect(convertFor('simB', changes).codes).toContain('HIDDEN_VALUE_UNUSED');
});
