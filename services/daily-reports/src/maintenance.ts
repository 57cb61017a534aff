import { startPeriodic, type Periodic } from '@stechuhr/kernel';
import type { DeletionMarkers, RepeatedRemovals } from '@stechuhr/mongo';
import type { Logger } from '@stechuhr/service';
import { removeInstitution } from './operations/forget-deleted.js';
import type { IngestNeeds, PhotoBin } from './operations/ports.js';
import { settleLeftBehind } from './operations/settle-reports.js';

interface MaintenanceParts {
  readonly markers: DeletionMarkers;
  readonly removals: RepeatedRemovals;
  readonly bin: PhotoBin;
  needs(): IngestNeeds;
}

/**
 * Starts the periodic maintenance. It deletes expired deletion markers, completes interrupted writes of reports, and removes again what belongs to
 * deleted institutions.
 */
export function startMaintenance(
  { markers, removals, bin, needs }: MaintenanceParts,
  logger: Logger,
  intervalMs: number,
): Periodic {
  const maintain = async (): Promise<void> => {
    await markers.removeExpired();
    await removals.repeatDue((removal) => removeInstitution({ ...needs(), bin }, removal));
    await settleLeftBehind(needs());
  };
  return startPeriodic(maintain, { intervalMs, logger, failure: 'maintenance failed' });
}
