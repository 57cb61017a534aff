import { startPeriodic, type Periodic } from '@stechuhr/kernel';
import type { Logger } from '@stechuhr/service';
import type { WriteContext } from './operations/ports.js';
import { finishRemovals } from './operations/remove-records.js';

const INTERVAL_MS = 60_000;

/** Completes removals that a crashed process left unfinished and deletes expired deletion markers. */
async function maintain(context: WriteContext): Promise<void> {
  await context.markers.removeExpired();
  await finishRemovals(context);
}

/** Starts the periodic maintenance. */
export function startMaintenance(context: WriteContext, logger: Logger): Periodic {
  return startPeriodic(() => maintain(context), { intervalMs: INTERVAL_MS, logger, failure: 'maintenance failed' });
}
