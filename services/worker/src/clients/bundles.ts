import type { commonV1, dailyReportsV1 } from '@stechuhr/contracts';
import { readStream, RUN_STALL_MS } from '@stechuhr/service';
import type { Run } from '../operations/ports.js';

/** The input of a bundle of daily reports. */
export interface BundleJob {
  readonly caller: commonV1.Caller;
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * Returns the run of a bundle, which the daily-reports service renders. The number of its reports is known in advance; its rows are
 * reports.
 */
export function bundleRun(client: dailyReportsV1.DailyReportsServiceClient, { caller, parameters }: BundleJob, signal: AbortSignal): Run {
  const progress = { rows: 0, estimatedRows: 0 };
  return {
    progress,
    skipped: [],
    contentType: parameters['format'] === 'zip' ? 'application/zip' : 'application/pdf',
    async *write() {
      const request = { caller, parameters: { ...parameters } };
      for await (const { chunk, done, total } of readStream(client, client.renderBundle, request, { signal, stallMs: RUN_STALL_MS })) {
        progress.rows = done;
        progress.estimatedRows = total;
        yield chunk;
      }
      progress.rows = progress.estimatedRows;
    },
  };
}
