import { exportsV1, recordsV1, type commonV1 } from '@stechuhr/contracts';
import { exporterNames, isExporterName, parameterNames } from '@stechuhr/exporting';
import { AppError, nearest } from '@stechuhr/kernel';
import { callUnary, readStream, RUN_STALL_MS } from '@stechuhr/service';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Failure } from '../failure.js';
import { grpcClient } from '../grpc-client.js';
import type { Output } from '../output.js';
import { outputFile } from '../output-file.js';
import { findPlatform } from '../platform.js';
import { table } from '../table.js';
import { explainUnavailable } from '../explain-unavailable.js';
import { uuidOption } from '../uuid-option.js';
import { askForExport, runInBackground } from './run-async.js';

/** The options of `export` as typed by the user. */
export interface ExportOptions {
  readonly account: string;
  readonly institution?: string;
  readonly daterange: string;
  /** `name=value`. */
  readonly param: readonly string[];
  readonly output: string;
  /** Whether to run the export as a background task. */
  readonly async?: boolean;
  /** False skips the review of the months. */
  readonly review?: boolean;
}

/** The file name that stands for standard output. */
export const STDOUT = '-';

/** Lists which employees are missing from the file and what its reader should know, then writes it. */
export async function runExport(exporter: string, options: ExportOptions, output: Output): Promise<number> {
  requireExporter(exporter);
  const parameters = parametersOf(options);
  const actor = actorOf(options);
  const write = writerTo(options.output);
  const platform = findPlatform();
  const addresses = { records: platform.grpcAddress('records'), exports: platform.grpcAddress('exports') };
  const records = grpcClient(recordsV1.RecordsServiceClient, addresses.records);
  const exports = grpcClient(exportsV1.ExportsServiceClient, addresses.exports);
  try {
    const request = { caller: await callerOf(records, actor), exporter, parameters };
    const preflight = { ...request, withoutReview: options.review === false };
    const { skipped, skippedCount, warnings } = await callUnary(exports, exports.preflight, preflight, {
      deadlineMs: 60_000,
      idempotent: true,
    });
    output.note(summaryOf(skipped, skippedCount));
    for (const warning of warnings) output.note(`Warning: ${textOf(warning)}`);
    // The findings of the review have been reported already.
    const run = exportsV1.RunExportRequest.fromPartial({ ...request, withoutReview: true });
    const { chunks, ...task } = options.async
      ? await runInBackground((existingOnly) => askForExport(exports, { ...run, existingOnly }), {
          ...{ platform, output, institutionId: request.caller.institutionId },
        })
      : { chunks: chunksOf(readStream(exports, exports.runExport, run, { stallMs: RUN_STALL_MS })) };
    await write(chunks);
    if (options.output !== STDOUT)
      output.result(
        { file: options.output, skipped, skipped_count: Math.max(skippedCount, skipped.length), warnings, ...task },
        () => options.output,
      );
    return 0;
  } catch (caught) {
    throw Failure.fromPlatform(explainUnavailable(caught, addresses), { optionOf, words: { 'is_async=true': '--async' } });
  } finally {
    records.close();
    exports.close();
  }
}

/** Parameters that have an option of their own. */
const OPTIONS: ReadonlyMap<string, string> = new Map([
  ['daterange', '--daterange'],
  ['is_async', '--async'],
]);

function optionOf(field: string): string {
  return OPTIONS.get(field) ?? `--param ${field}`;
}

function requireExporter(exporter: string): void {
  if (!isExporterName(exporter)) throw new Failure(unknown('exporter', exporter, exporterNames), 2);
}

function textOf({ code, about, message }: exportsV1.ExportWarning): string {
  return code === 'open-review-errors' ? `${message} See: stechuhr review --month ${about}` : message;
}

function unknown(what: string, name: string, choices: readonly string[]): string {
  const meant = nearest(name, choices);
  const all = choices.join(', ');
  return `There is no ${what} "${name}". ${meant === undefined ? `There are: ${all}.` : `Did you mean "${meant}"?`}`;
}

function parametersOf({ daterange, param, async = false }: ExportOptions): Record<string, string> {
  const others = new Map<string, string>();
  for (const text of param) {
    const equals = text.indexOf('=');
    if (equals < 1) throw new Failure(`--param: "${text}" is not of the form name=value.`, 2);
    const [name, value] = [text.slice(0, equals), text.slice(equals + 1)];
    const option = OPTIONS.get(name);
    if (option !== undefined) throw new Failure(`--param: "${name}" has an option of its own: ${option}.`, 2);
    if (!parameterNames.includes(name)) throw new Failure(`--param: ${unknown('parameter', name, parameterNames)}`, 2);
    if (name === 'response_only' && value !== 'true')
      throw new Failure(`--param: "${name}" is always true: the file itself is written.`, 2);
    // The API uses the last of repeated parameters; for a filter this would silently export the wrong employees.
    if (others.has(name)) throw new Failure(`--param: "${name}" is given twice. Values of one parameter are joined by "|".`, 2);
    others.set(name, value);
  }
  return { ...Object.fromEntries(others), daterange, response_only: 'true', is_async: String(async) };
}

/** Which account acts; without an institution the only one that has it. */
interface Actor {
  readonly accountId: string;
  readonly institutionId?: string;
}

/** @throws Failure (wrong usage) */
export function actorOf({ account, institution }: { readonly account: string; readonly institution?: string }): Actor {
  const accountId = uuidOption('--account', account);
  return institution === undefined ? { accountId } : { accountId, institutionId: uuidOption('--institution', institution) };
}

/** Who acts: an account, with what it may see. */
export async function callerOf(records: recordsV1.RecordsServiceClient, actor: Actor): Promise<commonV1.Caller> {
  const { accountId } = actor;
  const { account } = await callUnary(records, records.getAccount, actor, { idempotent: true }).catch((caught: unknown) => {
    const code = caught instanceof AppError ? caught.code : 'internal';
    if (code === 'not_found') throw new Failure(`There is no account ${accountId}.`, 1, caught);
    throw code === 'invalid' ? Failure.fromPlatform(caught) : caught;
  });
  if (account === undefined) throw new Failure('The records service answered without an account.', 1);
  return { institutionId: account.institutionId, accountId, visibility: account.visibility };
}

/** @param count of all who are left out; 0 from version 0.2, which names them all */
function summaryOf(skipped: readonly exportsV1.SkippedStaff[], count: number): string {
  if (skipped.length === 0) return 'No employees are left out.';
  const rows = skipped.map(({ name, reason, id }) => [name, reason, id]);
  const named = count > skipped.length ? `${String(count)}, of whom the first ${String(skipped.length)} are` : String(skipped.length);
  return `Left out: ${named}\n${table(['name', 'reason', 'id'], rows)}`;
}

async function* chunksOf(parts: AsyncIterable<exportsV1.RunExportResponse>): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const { part } of parts) if (part?.$case === 'chunk') yield part.value;
}

/**
 * Writes to standard output, or to a file whose path is checked first.
 * @throws Failure if that cannot be written
 */
export function writerTo(target: string): (chunks: AsyncIterable<Uint8Array>) => Promise<void> {
  return target === STDOUT ? (chunks) => pipeline(Readable.from(chunks), process.stdout, { end: false }) : outputFile(target);
}
