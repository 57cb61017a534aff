import { Readable } from 'node:stream';
import { AppError, createFairShares, type FairShares } from '@stechuhr/kernel';
import { reportFileName, type Report } from '@stechuhr/report-pdf';
import { formatLocalDate, formatLocalDateTime } from '@stechuhr/worktime';
import { ZipFile } from 'yazl';
import { bundleTitle } from '../domain/bundle-names.js';
import type { Bundle } from '../domain/bundle.js';
import { bundleOf } from './read-bundle.js';
import type { ReportKey } from '../domain/report.js';
import { inTurnIfLarge, readReport, renderOne, type PdfCall } from './render-pdf.js';
import { reportsOf, type BundledReport, type BundledReports } from './start-bundle.js';

export interface BundleCall extends PdfCall {
  /** The memory for bundles that are being written, in bytes. */
  readonly memory: FairShares;
}

/** The memory for the bundles that a replica writes at a time, in bytes: about half of the heap of a process. */
const MAX_BUNDLES_BYTES = 128 * 1024 * 1024;
/** What a bundle holds of the report that it is writing, with the pictures that are read ahead. Large reports also take turns. */
const BYTES_OF_REPORT = 16 * 1024 * 1024;
/** What pdfkit keeps of an entry until the end of the file. */
const BYTES_OF_ENTRY = 300;

/** Creates the memory for the bundles that a replica writes, shared by institutions. */
export function bundleMemory(): FairShares {
  return createFairShares(MAX_BUNDLES_BYTES);
}

/** A part of the file with the progress: the numbers of written reports and of all reports. */
export interface BundlePart {
  readonly chunk: Uint8Array;
  readonly done: number;
  readonly total: number;
}

/** Progress of a bundle. */
interface Progress {
  done: number;
}

interface Source {
  readonly bundle: Bundle;
  readonly bundled: BundledReports;
  readonly progress: Progress;
}

/**
 * Renders the file of a bundle with the current visibility of the caller. One report at a time is read and rendered, after the previous
 * output has been consumed.
 *
 * @throws AppError `invalid` if its reports do not exist any more; `unavailable` if there is no memory besides other bundles: the worker then
 *   returns the job, so that its slot is free for other jobs until this one is tried again
 */
export async function* renderBundle(
  call: BundleCall,
  parameters: Readonly<Record<string, string>>,
): AsyncGenerator<BundlePart, void, undefined> {
  const bundle = bundleOf(parameters);
  const bundled = await reportsOf(call, bundle);
  const progress = { done: 0 };
  const source = { bundle, bundled, progress };
  const total = bundled.reports.length;
  const share = call.memory.open(call.caller.institutionId);
  try {
    if (!share.add(bytesHeld(source)))
      throw new AppError('unavailable', 'Other bundles are being written; this one waits for their memory.');
    for await (const chunk of bundle.format === 'zip' ? archive(call, source) : onePdf(call, source))
      yield { chunk, done: progress.done, total };
  } finally {
    share.release();
  }
}

/** Files of an archive are written one after the other, so that only one PDF needs an end for all of its entries. */
function bytesHeld({ bundle, bundled }: Source): number {
  return BYTES_OF_REPORT + (bundle.format === 'zip' ? 0 : bundled.size.entries * BYTES_OF_ENTRY);
}

async function* onePdf(call: PdfCall, { bundle, bundled, progress }: Source): AsyncGenerator<Uint8Array, void, undefined> {
  const projects = bundle.projectIds === undefined ? [] : [...bundled.projects.values()];
  const organization = await call.records.readInstitutionName();
  const renderedAt = formatLocalDateTime(Math.floor(call.clock.now() / 1000));
  const about = { title: bundleTitle({ ...bundle, projects }), organization, renderedAt };
  const reports = async function* (): AsyncGenerator<Report, void, undefined> {
    for (const report of bundled.reports) {
      yield* inTurnIfLarge(call, report, async function* () {
        yield await readReport(call, report, report.project);
      });
      // When the next one is requested, this one has been written.
      rendered(call, report, progress);
    }
  };
  yield* call.renderer.renderAll(reports(), about, call.signal);
}

/** Writes an archive. PDFs are already compressed, so they are stored without compression. */
async function* archive(call: PdfCall, { bundled, progress }: Source): AsyncGenerator<Uint8Array, void, undefined> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const open = new Set<Readable>();
  const fail = (error: Error) => output.destroy(error);
  zip.on('error', fail);
  for (const [name, report] of named(bundled.reports)) {
    zip.addReadStreamLazy(name, { compress: false, mtime: fileTimeOf(report) }, (take) => {
      const bytes = Readable.from(pdfOf(call, report, progress));
      open.add(bytes);
      bytes.once('close', () => open.delete(bytes)).on('error', fail);
      take(null, bytes);
    });
  }
  zip.end();
  try {
    yield* output as AsyncIterable<Uint8Array>;
  } finally {
    for (const bytes of open) bytes.destroy();
  }
}

/** The earliest time that archives support. For times before 1970, yazl throws inside a stream, which would end the process. */
const FIRST_FILE_TIME = new Date('1980-01-01T00:00:00');

/** Returns the day of the report as the time of its file. */
function fileTimeOf({ date }: ReportKey): Date {
  const day = new Date(`${formatLocalDate(date)}T00:00:00`);
  return day < FIRST_FILE_TIME ? FIRST_FILE_TIME : day;
}

async function* pdfOf(call: PdfCall, report: BundledReport, progress: Progress): AsyncGenerator<Uint8Array, void, undefined> {
  yield* inTurnIfLarge(call, report, () => renderOne(call, report, report.project));
  rendered(call, report, progress);
}

function rendered(call: PdfCall, report: ReportKey, progress: Progress): void {
  progress.done += 1;
  call.events.rendered(call.caller, report);
}

/**
 * Returns unique file names. Several projects may have the same code, or codes that file systems treat as equal; the project id
 * distinguishes them.
 */
function* named(reports: readonly BundledReport[]): Generator<readonly [name: string, report: BundledReport], void, undefined> {
  const taken = new Set<string>();
  for (const report of reports) {
    const { id: projectId, code: projectCode } = report.project;
    const date = formatLocalDate(report.date);
    const parts = { projectId, projectCode, date };
    const short = reportFileName(parts);
    const name = taken.has(short.toLowerCase()) ? reportFileName({ ...parts, withId: true }) : short;
    taken.add(name.toLowerCase());
    yield [name, report];
  }
}
