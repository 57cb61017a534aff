import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newId } from '@stechuhr/kernel';
import { callerOf, present, startTasks, type RunningTasks } from './support/running-tasks.js';

let tasks: RunningTasks;
beforeAll(async () => {
  tasks = await startTasks();
});
afterAll(() => tasks.stop());

it('an inspection finds files without task and tasks without file, and repairs both', async () => {
  const owner = callerOf();
  const anna = tasks.as(owner);
  const [kept, lost] = await Promise.all([finished(), finished()]);
  const orphan = `exports/${owner.institutionId}/${newId()}/1.csv`;
  await tasks.put(orphan);
  await tasks.store.remove(lost.file);
  // What is young may still be on its way to its task.
  expect(await tasks.inspect()).toEqual({ 'lost-files': [lost.id] });
  tasks.advance(120_000);
  expect(await tasks.inspect()).toEqual({ 'lost-files': [lost.id], 'orphaned-files': [orphan] });
  expect(await tasks.inspect(true)).toEqual({ 'lost-files': [lost.id, 'repaired'], 'orphaned-files': [orphan, 'repaired'] });
  expect(await tasks.inspect()).toEqual({});
  expect(await tasks.store.stat(orphan)).toBeUndefined();
  expect((await anna.list()).tasks.map(({ id }) => id)).toEqual([kept.id]);
  expect(await tasks.store.stat(kept.file)).toBeDefined();

  async function finished() {
    const { task } = await anna.start(newId());
    const job = present(await tasks.jobs.claim(task.id));
    await tasks.jobs.finish(job);
    return { id: task.id, file: job.file };
  }
});
