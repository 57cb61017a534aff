import { dailyReportsV1, recordsV1 } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import { callUnary } from '@stechuhr/service';
import { runInBackground } from '../export/run-async.js';
import { actorOf, callerOf, STDOUT, writerTo } from '../export/run-export.js';
import { Failure } from '../failure.js';
import { grpcClient } from '../grpc-client.js';
import type { Output } from '../output.js';
import { findPlatform } from '../platform.js';
import { explainUnavailable } from '../explain-unavailable.js';

/** The options of `daily-reports bundle` as typed by the user. */
export interface BundleOptions {
  readonly account: string;
  readonly institution?: string;
  readonly from: string;
  readonly to: string;
  readonly project: readonly string[];
  readonly status: readonly string[];
  readonly format: string;
  readonly output: string;
}

/** The option from which each field of the request body comes. */
const OPTIONS: Readonly<Record<string, string>> = {
  date_from: '--from',
  date_to: '--to',
  projects: '--project',
  status: '--status',
  format: '--format',
};

/** Requests one file with the reports of several days, and downloads it. */
export async function runBundle(options: BundleOptions, output: Output): Promise<number> {
  const actor = actorOf(options);
  const write = writerTo(options.output);
  const platform = findPlatform();
  const addresses = { records: platform.grpcAddress('records'), 'daily-reports': platform.grpcAddress('daily-reports') };
  const records = grpcClient(recordsV1.RecordsServiceClient, addresses.records);
  const reports = grpcClient(dailyReportsV1.DailyReportsServiceClient, addresses['daily-reports']);
  try {
    const caller = await callerOf(records, actor);
    const json = JSON.stringify(bodyOf(options));
    const ask = async (existingOnly: boolean) => {
      const { task, started } = await callUnary(reports, reports.startBundle, { caller, json, existingOnly }, { idempotent: true });
      if (task === undefined) throw new AppError('internal', 'The answer has no task.');
      return { task, started };
    };
    const { chunks, ...task } = await runInBackground(ask, { platform, output, institutionId: caller.institutionId });
    await write(chunks);
    if (options.output !== STDOUT) output.result({ file: options.output, ...task }, () => options.output);
    return 0;
  } catch (caught) {
    const names = { optionOf: (field: string) => OPTIONS[field] ?? field, words: { date_from: '--from' } };
    throw Failure.fromPlatform(explainUnavailable(caught, addresses), names);
  } finally {
    records.close();
    reports.close();
  }
}

function bodyOf({ from, to, project, status, format }: BundleOptions): object {
  const listed = (list: readonly string[]) => (list.length === 0 ? null : list);
  return { date_from: from, date_to: to, projects: listed(project), status: listed(status), format };
}
