import { describe, expect, it } from '@jest/globals';
import { buildProject, detector, figure, IDS, type Json } from '../../test/build-project.js';
import { findUnused } from './find-unused.js';
import { readProject } from './read-project.js';

const TANK = [{ mode: 'union', objectUuid: IDS.tank }];
const INSERT_USED = {
  '/zoneManager/zones/0/unionOperations': [[...TANK, { mode: 'subtraction', objectUuid: IDS.insert }]],
};

function messagesOf(changes: Json): string[] {
  return findUnused(readProject(buildProject(changes))).map(({ message }) => message);
}

describe('a part of a project that nothing uses', () => {
  it('is nothing to warn of where all are used, by subtractions too', () => {
    expect(messagesOf(INSERT_USED)).toEqual([]);
  });

  it('is a figure in no zone', () => {
    expect(findUnused(readProject(buildProject()))).toEqual([
      { code: 'FIGURE_UNUSED', message: 'figure "Insert" is in no zone and has no effect' },
    ]);
  });

  it('is no figure around which the world is calculated', () => {
    const calculated = {
      '/zoneManager/worldZone/autoCalculate': true,
      '/zoneManager/worldZone/geometryData': undefined,
    };
    expect(messagesOf(calculated)).toEqual([]);
    const size = { radius: 0, innerRadius: 0, depth: 0 };
    const placeholder = {
      ...calculated,
      '/zoneManager/worldZone/geometryData': figure('w', 'W', 'HollowCylinderGeometry', [0, 0, 0], size).geometryData,
    };
    expect(messagesOf(placeholder)).toEqual([]);
  });

  it('is no figure of a Geant4 project, where each is matter', () => {
    const changes = { '/project/simulator': 'geant4', '/figureManager/figures/1': undefined };
    const project = buildProject({
      ...changes,
      '/figureManager/figures/0/children': [figure('in', 'In', 'SphereGeometry', [0, 0, 0], { radius: 1 })],
    });
    (project.figureManager as { figures: unknown[] }).figures.length = 1;
    expect(findUnused(readProject(project))).toEqual([]);
  });

  it('is a detector of no output, also of one that scores in a zone', () => {
    const unused = { ...INSERT_USED, '/detectorManager/detectors/2': detector('more', 'More', 'All', [0, 0, 0], {}) };
    expect(messagesOf(unused)).toEqual(['detector "More" is used by no output and has no effect']);
    const inZone = {
      '/scoringManager/outputs/1/scoringType': 'ZONE',
      '/scoringManager/outputs/1/zoneUuid': IDS.waterZone,
    };
    expect(messagesOf({ ...INSERT_USED, ...inZone })).toEqual([
      'detector "Mesh" is used by no output and has no effect',
    ]);
  });

  it('is a filter of no quantity', () => {
    expect(messagesOf({ ...INSERT_USED, '/scoringManager/outputs/0/quantities/1/filter': undefined })).toEqual([
      'filter "Protons" is used by no quantity and has no effect',
    ]);
  });

  it('is named with two others, the rest counted', () => {
    const more = Object.fromEntries(
      [2, 3, 4, 5].map((index) => [
        `/detectorManager/detectors/${index}`,
        detector(`d${index}`, `D${index}`, 'All', [0, 0, 0], {}),
      ]),
    );
    expect(messagesOf({ ...INSERT_USED, ...more })).toEqual([
      'detectors "D2", "D3", "D4" and 1 more are used by no output and have no effect',
    ]);
  });
});
