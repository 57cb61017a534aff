import type { Run } from '../../../harness/types.js';
import { platformValues } from '../../../platform/measured-download.js';
import { withDatabase } from '../../../platform/stored-months.js';
import { digestOf, type ComputedReport, type ReportListValues } from '../values.js';

interface EntryDocument {
  readonly group: string;
  readonly author_id: string | null;
  readonly on_behalf_of_id: string;
  readonly burned: boolean;
  readonly value: {
    readonly type: string;
    readonly hours: number;
    readonly time: string;
    readonly temperature: number;
    readonly weatherCondition: string;
  };
}

/** A common implementation: queries the entries of each report and computes the report on every request. */
export const run: Run = ({ values }) => {
  const { mongodbUrl, pages } = platformValues<ReportListValues>(values);
  return withDatabase(mongodbUrl, 'daily_reports', async ({ connection }) => {
    const entries = connection.collection<EntryDocument>('entries');
    await entries.findOne({});
    const startedAt = performance.now();
    const computed: ComputedReport[] = [];
    for (const { reports } of pages) {
      for (const report of reports) {
        const documents = await entries.find({ report }, { projection: { outbox: 0 }, sort: { sequence: 1 } }).toArray();
        computed.push(compute(report, documents));
      }
    }
    return { digest: digestOf(computed), values: { wallMs: performance.now() - startedAt } };
  });
};

function compute(report: string, documents: readonly EntryDocument[]): ComputedReport {
  const newest = new Map(documents.map((document) => [document.group, document]));
  const current = [...newest.values()].filter(({ burned }) => !burned);
  const ofType = (type: string): readonly EntryDocument[] => current.filter(({ value }) => value.type === type);
  const working = ofType('employee-working-times');
  return {
    id: report.split('/').slice(1).join('|'),
    contributors: new Set(documents.flatMap(({ author_id }) => author_id ?? [])).size,
    employees: [...new Set(working.map(({ on_behalf_of_id }) => on_behalf_of_id))].sort(),
    hours: working.reduce((sum, { value }) => sum + value.hours, 0),
    weather: ofType('weather')
      .map(({ value }) => [value.time, value.temperature, value.weatherCondition] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  };
}
