import { dailyReportsV1, recordsV1, reviewsV1 } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import { isUnreached, openBidi, type BidiCall, type ClientConstructor } from '@stechuhr/service';
import { Failure } from '../failure.js';
import { grpcClient } from '../grpc-client.js';
import type { ImportWarning, RejectedLine } from './result.js';
import type { Owner } from './routes.js';

/** An input line: its position and its JSON. */
export type SentLine = recordsV1.ImportLine;

/** The import call to one service, which receives all lines of a command for that service. */
export interface OwnerCall {
  /** @returns a promise if the line completed a batch; it resolves when the service can accept more */
  add(line: SentLine): Promise<void> | undefined;
  /** Dry runs only: tells the service which records the records service would have stored so far. */
  sendRecords(records: readonly recordsV1.ImportedRecord[]): Promise<void>;
  /**
   * Sends the remaining lines and waits for the result.
   * @returns the number of accepted lines by kind
   */
  finish(): Promise<Readonly<Record<string, number>>>;
  /** Also ends the call if it is unfinished: an open call would keep this process alive. */
  close(): void;
}

interface OwnerCallOptions {
  readonly owner: Owner;
  readonly address: string;
  /** Whether lines are only validated and nothing is written. */
  readonly isDry: boolean;
  /** Whether unknown fields are rejected. */
  readonly strict: boolean;
  readonly onRejected: (line: RejectedLine) => void;
  readonly onWarning: (warning: ImportWarning) => void;
}

const BATCH_LINES = 200;
const BATCH_BYTES = 64 * 1024;
const RECORDS_A_MESSAGE = 5_000;

/** Only the check of an import contains records; the import itself ignores them. */
type ImportRequest = dailyReportsV1.CheckImportRequest;
type ImportCall = BidiCall<ImportRequest, recordsV1.ImportResponse>;

type ImportClient = Parameters<typeof openBidi>[0] & Pick<dailyReportsV1.DailyReportsServiceClient, 'import' | 'checkImport'>;

/** All services have the same import method, so one client type fits. */
const clients: Readonly<Record<Owner, ClientConstructor<ImportClient>>> = {
  records: recordsV1.RecordsServiceClient,
  reviews: reviewsV1.ReviewsServiceClient,
  'daily-reports': dailyReportsV1.DailyReportsServiceClient,
};

/**
 * Opens the import call of a service.
 * @throws Failure from `add` and `finish` if the service is unavailable
 */
export function openOwnerCall(options: OwnerCallOptions): OwnerCall {
  const { owner, address, isDry, strict } = options;
  const client = grpcClient(clients[owner], address);
  const closed = new AbortController();
  const call: ImportCall = openBidi(client, isDry ? client.checkImport : client.import, { signal: closed.signal });
  const verdict = readAnswers(call, options);
  // The error is thrown by the next `add` or `finish`.
  verdict.catch(() => undefined);
  let lines: SentLine[] = [];
  let bytes = 0;
  const explain = (caught: unknown): Failure => lost(AppError.from(caught), { owner, address });
  const write = (request: Pick<ImportRequest, 'lines' | 'records'>): Promise<void> =>
    call.write({ ...request, strict }).catch((caught: unknown) => {
      throw explain(caught);
    });
  const flush = async (): Promise<void> => {
    const batch = lines;
    lines = [];
    bytes = 0;
    await write({ lines: batch, records: [] });
  };
  return {
    add(line) {
      lines.push(line);
      bytes += line.json.length;
      return lines.length >= BATCH_LINES || bytes >= BATCH_BYTES ? flush() : undefined;
    },
    async sendRecords(records) {
      for (let at = 0; at < records.length; at += RECORDS_A_MESSAGE)
        await write({ lines: [], records: records.slice(at, at + RECORDS_A_MESSAGE) });
    },
    async finish() {
      if (lines.length > 0) await flush();
      call.end();
      return verdict.catch((caught: unknown) => {
        throw explain(caught);
      });
    },
    close() {
      closed.abort();
      client.close();
    },
  };
}

async function readAnswers(
  call: ImportCall,
  { onRejected, onWarning }: Pick<OwnerCallOptions, 'onRejected' | 'onWarning'>,
): Promise<Readonly<Record<string, number>>> {
  let accepted: Readonly<Record<string, number>> | undefined;
  for await (const { event } of call.responses) {
    if (event?.$case === 'summary') accepted = event.value.accepted;
    if (event?.$case === 'rejected') {
      const { file, line, kind = null, id = null, reason } = event.value;
      onRejected({ file, line, kind, id, reason });
    }
    if (event?.$case === 'warning') {
      const { file = null, line = null, kind = null, id = null, message } = event.value;
      onWarning({ file, line, kind, id, message });
    }
  }
  if (accepted === undefined) throw new AppError('unavailable', 'The import ended without a summary.');
  return accepted;
}

function lost(error: AppError, { owner, address }: Pick<OwnerCallOptions, 'owner' | 'address'>): Failure {
  if (error.code !== 'unavailable') return Failure.fromPlatform(error);
  const advice = 'What was accepted is kept; run the same command again, repeated lines change nothing.';
  return isUnreached(error)
    ? new Failure(`The ${owner} service does not answer at ${address}. Is the platform running ("npm start")?`, 1, error)
    : new Failure(`The import into the ${owner} service at ${address} was interrupted: ${error.message}\n${advice}`, 1, error);
}
