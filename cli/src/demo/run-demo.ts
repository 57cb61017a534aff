import { generateDemo, ndjsonOf, type AsOf, type Demo, type DemoRecord, type ReportStatusRecord } from '@stechuhr/demo-firm';
import { systemClock } from '@stechuhr/kernel';
import { formatLocalTime, localDayOf } from '@stechuhr/worktime';
import { createProgress } from '../import/progress.js';
import { describeCounts, describeResult, sumOf, withFindings, type FoundInImport, type ImportResult } from '../import/result.js';
import { owners } from '../import/routes.js';
import { openImport, type ImportSession } from '../import/session.js';
import { writeSlowly, type Output } from '../output.js';
import { outputFile } from '../output-file.js';
import { findPlatform } from '../platform.js';
import { completeReports } from './load-reports.js';

export interface DemoCommandOptions {
  readonly employees: number;
  readonly months: number;
  readonly seed: string;
  readonly output?: string;
}

/** Stands for the file name when a line is rejected. */
const SOURCE = 'demo';
/** From this time on, the early shifts of a day are part of the demo. */
const MORNING = '08:00';

/** Runs `stechuhr demo`. @returns the exit code */
export async function runDemo({ output: file, ...options }: DemoCommandOptions, output: Output): Promise<number> {
  const demo = generateDemo({ ...options, ...present() });
  const ids = { institution_id: demo.institutionId, account_id: demo.accountId };
  if (file !== undefined) {
    await writeDemo(demo, file);
    if (file !== '-') output.result({ ...ids, file }, () => `Written to ${file}. Load it with: stechuhr import ${file}`);
    return 0;
  }
  return withFindings([SOURCE], async (found) => {
    const accepted = await importDemo(demo, found, output);
    if (found.rejected.count + found.warnings.count > 0) output.note(describeResult({ accepted, ...found }));
    const exitCode = found.rejected.count > 0 ? 1 : 0;
    return output.result({ ...ids, report_id: reportToShow(demo), accepted }, () => summary(demo, accepted), exitCode);
  });
}

function present(): AsOf {
  const now = Math.floor(systemClock.now() / 1000);
  return { today: localDayOf(now), hasStarted: formatLocalTime(now) >= MORNING };
}

/**
 * Imports in two steps: reports can be submitted, closed and archived only when all their entries exist, and photos can be uploaded only once the
 * platform knows their report.
 */
async function importDemo(demo: Demo, found: FoundInImport, output: Output): Promise<ImportResult['accepted']> {
  const platform = findPlatform();
  const progress = createProgress('generating and importing', null);
  try {
    const steps: ReportStatusRecord[] = [];
    const importInto = (records: Iterable<DemoRecord>, onSent?: (count: number) => void) =>
      importRecords(
        openImport((owner) => platform.grpcAddress(owner), found),
        records,
        onSent,
      );
    const first = await importInto(withoutSteps(demo.records, steps), (count) => progress.update(count, count));
    const photos = await completeReports(platform.grpcAddress('daily-reports'), demo, output.note);
    return sumOf([first, await importInto([...photos, ...steps])]);
  } finally {
    progress.stop();
  }
}

function* withoutSteps(records: Iterable<DemoRecord>, steps: ReportStatusRecord[]): Generator<DemoRecord> {
  for (const record of records) {
    if (record.kind === 'daily_report_status') steps.push(record);
    else yield record;
  }
}

async function importRecords(
  session: ImportSession,
  records: Iterable<DemoRecord>,
  onSent?: (count: number) => void,
): Promise<ImportResult['accepted']> {
  try {
    let line = 0;
    for (const record of records) {
      line += 1;
      const full = session.send(owners[record.kind], { file: SOURCE, line, json: JSON.stringify(record) });
      if (full === undefined) continue;
      await full;
      onSent?.(line);
    }
    return await session.finish();
  } finally {
    session.close();
  }
}

async function writeDemo(demo: Demo, file: string): Promise<void> {
  if (file === '-') {
    for (const chunk of ndjsonOf(demo.records)) await writeSlowly(process.stdout, chunk);
    return;
  }
  await outputFile(file)(ndjsonOf(demo.records));
}

/** The latest report among those with the most photos; null if there is no report. */
function reportToShow(demo: Demo): string | null {
  const { days, photos } = demo.reports();
  const counted = days.map((day) => ({
    day,
    count: photos.filter(({ report }) => report.tagId === day.tagId && report.day === day.day).length,
  }));
  const best = counted.reduce<(typeof counted)[number] | undefined>(
    (top, next) => (next.count >= (top?.count ?? 0) ? next : top),
    undefined,
  );
  return best === undefined ? null : `${best.day.tagId}|${best.day.date}`;
}

function summary(demo: Demo, accepted: ImportResult['accepted']): string {
  const ids = `institution  ${demo.institutionId}\naccount      ${demo.accountId} (administrator)`;
  return `${describeCounts(accepted)}\n\n${ids}\n\nA token for it: stechuhr tokens issue --account ${demo.accountId}`;
}
