import type { SliceClaims } from '@stechuhr/bus';
import { startPeriodic, type Periodic } from '@stechuhr/kernel';
import type { DeletionMarkers, RepeatedRemovals } from '@stechuhr/mongo';
import type { Logger } from '@stechuhr/service';
import { removeInstitution } from './operations/forget-deleted.js';
import { sweepUploads } from './operations/keep-photos.js';
import type { IngestNeeds, PhotoBin, Ports } from './operations/ports.js';
import { settleLeftBehind } from './operations/settle-reports.js';

interface MaintenanceParts {
  readonly markers: DeletionMarkers;
  readonly removals: RepeatedRemovals;
  readonly claims: SliceClaims;
  readonly bin: PhotoBin;
  needs(): IngestNeeds;
}

/**
 * Starts the periodic maintenance. It deletes expired deletion markers, completes interrupted writes of reports, and removes again what belongs to
 * deleted institutions.
 */
export function startMaintenance(
  { markers, removals, claims, bin, needs }: MaintenanceParts,
  logger: Logger,
  intervalMs: number,
): Periodic {
  const maintain = async (signal: AbortSignal): Promise<void> => {
    await markers.removeExpired();
    await removals.repeatDue((removal) => removeInstitution({ ...needs(), bin }, removal));
    await settleLeftBehind(needs(), claims, signal);
  };
  return startPeriodic(maintain, { intervalMs, logger, failure: 'maintenance failed' });
}

/** Starts the periodic sweep of uploads. It keeps photos that arrived after their entries, and removes those that no entry names. */
export function startUploadSweep(ports: Ports, logger: Logger, intervalMs: number): Periodic {
  return startPeriodic((signal) => sweepUploads(ports, { logger, signal }), { intervalMs, logger, failure: 'the sweep of uploads failed' });
}
