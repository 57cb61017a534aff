import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { exportJobSchema } from './jobs.js';

it('a job may be of any institution that an import accepts: a UUID need have neither version nor variant', () => {
  const job = { task_id: randomUUID(), institution_id: '0a1b2c3d-0000-0000-0000-000000000001' };
  expect(exportJobSchema.parse(job)).toEqual(job);
});
