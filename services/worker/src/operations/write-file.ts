import { prepareExport } from '@stechuhr/export-runs';
import { contentType } from '@stechuhr/exporting';
import type { HeldLease } from './hold-lease.js';
import type { Job, Outcome, Ports } from './ports.js';
import { untilUploaded, watchChunks } from './watch-upload.js';

/** Runs the export as a synchronous request would and stores the raw file; only the part in transfer is kept in memory. */
export async function writeFile({ files, sourcesOf }: Ports, job: Job, lease: HeldLease): Promise<Outcome> {
  await files.check();
  const parameters = { ...job.parameters, response_only: 'true' };
  const run = await prepareExport(sourcesOf(job.caller, lease.signal), { exporter: job.exporter, parameters });
  lease.follow(run.progress);
  const { chunks, busyMs } = watchChunks(run.write());
  const upload = files.put(job.file, chunks, contentType(run.request));
  const sizeBytes = await untilUploaded(upload, { signal: lease.signal, busyMs });
  return { rows: run.progress.rows, sizeBytes, skipped: run.skipped };
}
