import { commonV1, dailyReportsV1 } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import { readStream, RUN_STALL_MS } from '@stechuhr/service';
import { Failure } from '../failure.js';
import { grpcClient } from '../grpc-client.js';
import type { Output } from '../output.js';
import { findPlatform } from '../platform.js';
import { explainUnavailable } from '../explain-unavailable.js';
import { uuidOption } from '../uuid-option.js';

/** The options of `rebuild-reports` as typed by the user. */
export interface RebuildOptions {
  readonly institution: string;
}

const NOBODY = '00000000-0000-0000-0000-000000000000';
const DEADLINE_MS = 3_600_000;

/** Recomputes every report of an institution. */
export async function rebuildReports({ institution }: RebuildOptions, output: Output): Promise<number> {
  const institutionId = uuidOption('--institution', institution);
  const address = findPlatform().grpcAddress('daily-reports');
  const client = grpcClient(dailyReportsV1.DailyReportsServiceClient, address);
  const visibility = { role: commonV1.Role.ROLE_ADMIN, departmentIds: [], projects: undefined };
  const request = { caller: { institutionId, accountId: NOBODY, visibility } };
  let rebuilt = 0;
  try {
    for await (const message of readStream(client, client.rebuildDescriptors, request, {
      deadlineMs: DEADLINE_MS,
      stallMs: RUN_STALL_MS,
    })) {
      rebuilt = message.rebuilt;
      output.note(`${String(rebuilt)} reports so far`);
    }
  } catch (caught) {
    if (caught instanceof AppError && caught.code === 'not_found')
      throw new Failure(`There is no institution ${institutionId}.`, 1, caught);
    throw Failure.fromPlatform(explainUnavailable(caught, { 'daily-reports': address }));
  } finally {
    client.close();
  }
  output.result({ rebuilt }, () => `${String(rebuilt)} reports rebuilt`);
  return 0;
}
