import { connectBusAdmin } from '@stechuhr/bus';
import { cloudEventSchema, streams } from '@stechuhr/contracts';
import { z } from 'zod';
import { createProgress, type Progress } from '../import/progress.js';
import { quietLogger } from '../quiet-logger.js';

/** The task whose progress is displayed. */
interface WatchedTask {
  readonly id: string;
  readonly institutionId: string;
  /** Address of the NATS server that has its events. */
  readonly natsUrl: () => string;
  /** Seconds since 1970-01-01T00:00:00Z. */
  readonly createdAt: number;
}

const progressed = z.object({ rows_done: z.number(), rows_estimated: z.number() });

/**
 * Displays the progress of a task from its events, if they can be read.
 * @returns stops the display
 */
export function showProgress(task: WatchedTask): () => Promise<void> {
  const stopping = new AbortController();
  const showing = follow(task, stopping.signal).catch(() => undefined);
  return async () => {
    stopping.abort();
    await showing;
  };
}

async function follow({ id, institutionId, natsUrl, createdAt }: WatchedTask, signal: AbortSignal): Promise<void> {
  const bus = await connectBusAdmin({ servers: natsUrl(), name: 'stechuhr', logger: quietLogger });
  let progress: Progress | undefined;
  try {
    const filterSubjects = [`stechuhr.events.${institutionId}.tasks.task.progressed`];
    const since = new Date(createdAt * 1000);
    for await (const { payload } of bus.browse({ stream: streams.events.name, filterSubjects, since, follow: true, signal })) {
      const event = cloudEventSchema.parse(JSON.parse(Buffer.from(payload).toString('utf8')));
      if (event.data.id !== id) continue;
      const { rows_done, rows_estimated } = progressed.parse(event.data);
      progress ??= createProgress('exporting', rows_estimated, 'rows');
      progress.update(rows_done, rows_done);
    }
  } finally {
    progress?.stop();
    await bus.close();
  }
}
