import { AppError, type AnswerTurns, type FairLimits } from '@stechuhr/kernel';
import { reportFileName, type Report, type ReportRenderer } from '@stechuhr/report-pdf';
import { formatLocalDate } from '@stechuhr/worktime';
import { currentEntries } from '../domain/description.js';
import type { Entry } from '../domain/entry.js';
import { activeForm } from '../domain/form.js';
import { isLarge } from '../domain/report-size.js';
import { parseReportId, reportId, type ReportKey, type ReportStatus } from '../domain/report.js';
import { photoPlaces } from './keep-photos.js';
import { pdfReport } from './pdf-report.js';
import type { Call, PhotoReader, Project } from './ports.js';
import { NEW_REPORT, type Standing } from './report-port.js';

/** A PDF and its name. Nothing is rendered before the first chunk is requested. */
export interface RenderedReport {
  readonly fileName: string;
  readonly chunks: AsyncIterable<Uint8Array>;
}

export interface PdfCall extends Call {
  readonly renderer: ReportRenderer;
  readonly photoReader: PhotoReader;
  /** For large reports. */
  readonly largeInTurn: AnswerTurns;
  /** Ends the call of a client that reads too slowly; a worker keeps its turn. */
  end?(error: AppError): void;
}

/** Large reports that a replica prints at a time, and of one institution: the largest holds 75 MB. */
export const LARGE_REPORTS: FairLimits = { concurrency: 2, perKey: 1 };

/** The report of a day; a day without entries is the empty form. @throws AppError `invalid` */
export async function renderPdf(call: PdfCall, id: string): Promise<RenderedReport> {
  const report = parseReportId(id);
  if (report === undefined) throw AppError.invalid({ id: ['The id must have the form <tag_id>|<date>.'] });
  const project = await call.records.findProject(report.tagId);
  if (project === undefined) throw AppError.invalid({ id: [`Invalid pk "${report.tagId}" - object does not exist.`] });
  const fileName = reportFileName({ projectId: project.id, projectCode: project.code, date: formatLocalDate(report.date) });
  return { fileName, chunks: render(call, report, project) };
}

async function* render(call: PdfCall, report: ReportKey, project: Project): AsyncGenerator<Uint8Array, void, undefined> {
  yield* inTurnIfLarge(call, report, () => renderOne(call, report, project));
  call.events.rendered(call.caller, report);
}

/** One report in a file of its own; what it takes is held from here on. */
export async function* renderOne(call: PdfCall, report: ReportKey, project: Project): AsyncGenerator<Uint8Array, void, undefined> {
  yield* call.renderer.render(await readReport(call, report, project), call.signal);
}

/** Reads and prints a report: a large one in its turn, and others at once. */
export async function* inTurnIfLarge<T>(
  call: PdfCall,
  report: ReportKey,
  print: () => AsyncIterable<T>,
): AsyncGenerator<T, void, undefined> {
  const { caller, signal, largeInTurn, end } = call;
  const { size } = await standingOf(call, report);
  const asking = { institutionId: caller.institutionId, signal, over: Promise.resolve(), ...(end && { end }) };
  yield* isLarge(size) ? largeInTurn.stream(asking, print) : print();
}

/** All that is printed of a report, as it is now; its photos are opened when they are needed. */
export async function readReport(call: PdfCall, report: ReportKey, project: Project): Promise<Report> {
  const [{ all, status }, forms, organization] = await Promise.all([
    readMoment(call, report),
    call.forms.list(call.caller),
    call.records.readInstitutionName(),
  ]);
  const form = activeForm(forms, report.date);
  const entries = currentEntries(form, all);
  const [authors, employees] = await Promise.all([
    call.records.readAccountNames([...new Set(entries.flatMap(({ authorId }) => authorId ?? []))]),
    call.records.readEmployees([...new Set(entries.flatMap(({ onBehalfOfId }) => onBehalfOfId ?? []))]),
  ]);
  const names = new Map([...employees].map(([id, { firstName, lastName }]) => [id, `${firstName} ${lastName}`]));
  const now = Math.floor(call.clock.now() / 1000);
  const placeOf = await photoPlaces(
    call,
    call.caller,
    entries.map(({ value }) => value),
  );
  const photos: PhotoReader = { open: (key, signal) => call.photoReader.open(placeOf(key), signal) };
  return pdfReport({ organization, project, report, status, form, entries, authors, employees: names, now, photos });
}

const MAX_RACES = 20;

/** Reads the entries with the status that the report had at that time, so that entries are never shown under a status from another time. */
async function readMoment(call: Call, report: ReportKey): Promise<{ readonly all: readonly Entry[]; readonly status: ReportStatus }> {
  let before = await standingOf(call, report);
  for (let race = 0; race < MAX_RACES; race += 1) {
    const all = await call.entries.ofReport(call.caller, report);
    const after = await standingOf(call, report);
    if (after.logRevision === before.logRevision) return { all, status: after.status };
    before = after;
  }
  throw new AppError('unavailable', 'Too many concurrent changes of the same report.');
}

async function standingOf({ reports, caller }: Call, report: ReportKey): Promise<Standing> {
  return (await reports.standings(caller, [report])).get(reportId(report)) ?? NEW_REPORT;
}
