import type { Run } from '../../../harness/types.js';
import { platformValues } from '../../../platform/measured-download.js';
import { digestOf, type ComputedReport, type ReportListValues } from '../values.js';

interface ReportJson {
  readonly id: string;
  readonly contributor_count: number;
  readonly employees: readonly { readonly id: string }[];
  readonly total_hours: number;
  readonly weather: readonly { readonly time: string; readonly temperature: number; readonly weather_condition: string }[];
}

/** Reads the pages like a client of the API. */
export const run: Run = async ({ values }) => {
  const { token, pages } = platformValues<ReportListValues>(values);
  const read = async (url: string): Promise<readonly ReportJson[]> => {
    const response = await fetch(url, { headers: { authorization: `Token ${token}` } });
    if (!response.ok) throw new Error(`${url} was answered with ${response.status}: ${await response.text()}`);
    return ((await response.json()) as { readonly results: readonly ReportJson[] }).results;
  };
  // This opens the connection before the measurement, because the peers have an open one too.
  await read(pages[0]?.url ?? '');
  const startedAt = performance.now();
  const listed: ReportJson[] = [];
  for (const { url } of pages) listed.push(...(await read(url)));
  return { digest: digestOf(listed.map(computed)), values: { wallMs: performance.now() - startedAt } };
};

function computed({ id, contributor_count, employees, total_hours, weather }: ReportJson): ComputedReport {
  return {
    id,
    contributors: contributor_count,
    employees: employees.map((employee) => employee.id).sort(),
    hours: total_hours,
    weather: weather.map(({ time, temperature, weather_condition }) => [time, temperature, weather_condition]),
  };
}
