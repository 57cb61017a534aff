import { MAX_BUNDLE_REPORTS, MAX_PDF_BYTES, MAX_PDF_ENTRIES } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import { bundleFileName, bundleTitle } from '../domain/bundle-names.js';
import { bundleParameters, type Bundle } from '../domain/bundle.js';
import { NO_ENTRIES, refusalOfPdf, together, type ReportSize } from '../domain/report-size.js';
import type { ReportKey } from '../domain/report.js';
import type { AnsweredTask, BundleTasks, Call, Project } from './ports.js';
import { readBundle } from './read-bundle.js';
import { settleMarked } from './settle-reports.js';

export interface BundleCall<Task> extends Call {
  readonly tasks: BundleTasks<Task>;
}

export interface BundleRequest {
  /** The body of the request. */
  readonly json: string;
  /** Whether to start no new task. */
  readonly existingOnly: boolean;
}

/**
 * Returns the task that writes the reports into a file. A repeated request finds it only by its parameters, even if the reports have
 * changed or been deleted.
 *
 * @throws AppError `invalid` if there are no reports, or too many; `rate_limited`
 */
export async function startBundle<Task>(call: BundleCall<Task>, { json, existingOnly }: BundleRequest): Promise<AnsweredTask<Task>> {
  const bundle = readBundle(json);
  const parameters = bundleParameters(bundle);
  const existing = await call.tasks.find(parameters);
  if (existing !== undefined) return existing;
  if (existingOnly) throw new AppError('rate_limited', 'Request was throttled.');
  const { projects } = await reportsOf(call, bundle);
  const named = { ...bundle, projects: bundle.projectIds === undefined ? [] : [...projects.values()] };
  return call.tasks.start({ parameters, fileName: bundleFileName(named), label: bundleTitle(named) });
}

/** A report with its project. */
export interface BundledReport extends ReportKey {
  readonly project: Project;
}

/** The reports of a bundle, and its selected projects. */
export interface BundledReports {
  /** Sorted by project, then day. */
  readonly reports: readonly BundledReport[];
  readonly projects: ReadonlyMap<string, Project>;
  /** The size of all reports together. */
  readonly size: ReportSize;
}

const MAX_PDF: ReportSize = { entries: MAX_PDF_ENTRIES, bytes: MAX_PDF_BYTES };

/** Returns the reports of a bundle that the caller may see. @throws AppError `invalid` */
export async function reportsOf(call: Call, { range, projectIds, statuses, format }: Bundle): Promise<BundledReports> {
  const [visible] = await Promise.all([call.records.listProjects(), settleMarked(call, call.caller)]);
  const all = new Map(visible.map((project) => [project.id, project]));
  const unknown = (projectIds ?? []).filter((id) => !all.has(id));
  if (unknown.length > 0) throw AppError.invalid({ projects: unknown.map((id) => `Invalid pk "${id}" - object does not exist.`) });
  const projects = projectIds === undefined ? all : new Map([...all].filter(([id]) => projectIds.includes(id)));
  const page = { projectIds: [...projects.keys()], range, statuses, ascending: true, limit: MAX_BUNDLE_REPORTS, offset: 0 };
  const { count, results } = projects.size === 0 ? { count: 0, results: [] } : await call.reports.sizes(call.caller, page);
  if (count === 0) throw AppError.invalid({ non_field_errors: ['There are no such reports.'] });
  if (count > MAX_BUNDLE_REPORTS) {
    throw AppError.invalid({
      non_field_errors: [`A file holds at most ${String(MAX_BUNDLE_REPORTS)} reports; these are ${String(count)}.`],
    });
  }
  const size = results.map((report) => report.size).reduce(together, NO_ENTRIES);
  const refusal = format === 'pdf' ? refusalOfPdf(size, MAX_PDF) : undefined;
  if (refusal !== undefined) throw AppError.invalid({ non_field_errors: [refusal] });
  // The reports are already sorted by day, and sorting is stable.
  const reports = results
    .flatMap(({ tagId, date }) => {
      const project = projects.get(tagId);
      return project === undefined ? [] : [{ tagId, date, project }];
    })
    .sort((a, b) => a.project.code.localeCompare(b.project.code, 'de', { numeric: true }) || a.tagId.localeCompare(b.tagId));
  return { reports, projects, size };
}
