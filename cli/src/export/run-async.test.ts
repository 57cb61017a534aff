import { describe, expect, it } from '@jest/globals';
import { tasksV1 } from '@stechuhr/contracts';
import { createOutput } from '../output.js';
import { findPlatform } from '../platform.js';
import { runInBackground } from './run-async.js';

describe('runInBackground', () => {
  it('names the store where it cannot be reached from here, and why', async () => {
    const target = 'http://127.0.0.1:1/bucket/file.csv?signature=secret';
    const task = tasksV1.ExportTask.fromPartial({ id: 'task', status: tasksV1.TaskStatus.TASK_STATUS_FINISHED, target });
    const around = {
      platform: findPlatform({ STECHUHR_HOME: '/nonexistent' }),
      output: { ...createOutput(false), note: () => undefined },
      institutionId: 'i',
    };
    const running = runInBackground(() => Promise.resolve({ task, started: true }), around);
    await expect(running).rejects.toThrow(/^The file is in the store at 127\.0\.0\.1:1, which cannot be reached from here: .*\S/u);
    await expect(running).rejects.not.toThrow('secret');
  });
});
