import { describe, expect, it } from '@jest/globals';
import { tasksV1 } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import { createOutput } from '../output.js';
import { findPlatform } from '../platform.js';
import { runInBackground } from './run-async.js';

describe('runInBackground', () => {
  const around = {
    platform: findPlatform({ STECHUHR_HOME: '/nonexistent' }),
    output: { ...createOutput(false), note: () => undefined },
    institutionId: 'i',
  };
  const running = tasksV1.ExportTask.fromPartial({ id: 'task', status: tasksV1.TaskStatus.TASK_STATUS_IN_PROGRESS });
  const failed = { ...running, status: tasksV1.TaskStatus.TASK_STATUS_ERROR };
  /** Answers one request after the other. */
  const asking = (...answers: readonly (tasksV1.ExportTask | AppError)[]) => {
    const left = [...answers];
    return () => {
      const next = left.shift();
      if (next === undefined) throw new Error('There is no further answer.');
      return next instanceof AppError ? Promise.reject(next) : Promise.resolve({ task: next, started: false });
    };
  };

  it('keeps waiting while a service is restarted', async () => {
    const ask = asking(running, new AppError('unavailable', 'A service is not available.'), running, failed);
    await expect(runInBackground(ask, around)).rejects.toThrow('Task task ended in error.');
  });

  it('says that the task was deleted meanwhile', async () => {
    const ask = asking(running, new AppError('rate_limited', 'Request was throttled.'));
    await expect(runInBackground(ask, around)).rejects.toMatchObject({
      message: 'Task task was deleted, or was started more than twelve hours ago.',
      exitCode: 1,
    });
  });

  it('reports any other failure', async () => {
    const ask = asking(running, new AppError('forbidden', 'No.'));
    await expect(runInBackground(ask, around)).rejects.toThrow('No.');
  });

  it('names the store where it cannot be reached from here, and why', async () => {
    const target = 'http://127.0.0.1:1/bucket/file.csv?signature=secret';
    const task = tasksV1.ExportTask.fromPartial({ id: 'task', status: tasksV1.TaskStatus.TASK_STATUS_FINISHED, target });
    const download = runInBackground(() => Promise.resolve({ task, started: true }), around);
    await expect(download).rejects.toThrow(/^The file is in the store at 127\.0\.0\.1:1, which cannot be reached from here: .*\S/u);
    await expect(download).rejects.not.toThrow('secret');
  });
});
