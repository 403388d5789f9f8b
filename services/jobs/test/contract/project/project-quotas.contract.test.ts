import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { projectsOf } from '../../projects.js';
import { openSuite, type Suite } from '../../suite.js';

let suite: Suite;
let gateway: ReturnType<Suite['client']>;
beforeAll(async () => {
  suite = await openSuite();
  await suite.start({ projectsPerUserMax: 3, projectBytesPerUserMax: 60_000 });
  gateway = suite.client('gateway');
});
afterAll(() => suite.stop());

/** A text that takes about so many bytes, however it is compressed. */
const textOf = (bytes: number) => JSON.stringify({ text: randomBytes(bytes / 2).toString('hex') });

describe('RESOURCE_EXHAUSTED', () => {
  it('above the projects of a user, exactly, also when they come at once, until one is deleted', async () => {
    const alice = projectsOf(gateway, 1n);
    const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => alice.create({})));
    const ids = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    expect(ids).toHaveLength(3);
    await expect(alice.create({})).rejects.toMatchObject({
      reason: 'PROJECT_QUOTA_EXCEEDED',
      message: expect.stringContaining('You may keep 3 projects, and have 3 (projects_per_user_max'),
    });
    await projectsOf(gateway, 2n).create({});
    await alice.save(ids[0] ?? '', 1, { json: '{"a":1}' });
    await alice.delete(ids[0] ?? '');
    await alice.create({});
  });

  it('above the bytes of a user, with all revisions as they are stored; what was there stays', async () => {
    const bob = projectsOf(gateway, 3n);
    const projectId = await bob.create({ json: textOf(30_000), note: 'kept' });
    const exceeded = {
      reason: 'PROJECT_QUOTA_EXCEEDED',
      message: expect.stringContaining('project_bytes_per_user_max'),
    };
    await bob.save(projectId, 1, { json: textOf(30_000), note: 'kept' });
    await bob.save(projectId, 2, { json: textOf(30_000), note: 'kept' });
    await expect(bob.save(projectId, 3, { json: textOf(30_000) })).rejects.toMatchObject(exceeded);
    await expect(bob.create({ json: textOf(30_000) })).rejects.toMatchObject(exceeded);
    expect((await bob.get(projectId)).project.revision).toBe(3);
    expect(await bob.save(projectId, 3, { title: 'Still small' })).toMatchObject({ revision: 4 });
  });
});
