import type { ObservedAt } from './observe/observation.js';
import type { RunFile } from './run-file.js';

interface Surroundings {
  /** State folder. */
  readonly home: string;
  readonly today: Date;
  /** A daily report of the demo organization that has content worth showing. */
  readonly reportId: string | undefined;
}

/** Returns the text shown when the platform is ready: addresses, the token, and three example commands. */
export function welcome({ base_url: baseUrl, demo, observe }: RunFile, { home, today, reportId }: Surroundings): string {
  const lines = [
    `Stechuhr is ready at ${baseUrl}`,
    `State and logs are in ${home}; Ctrl-C stops everything and keeps the data.`,
    ...(observe === undefined ? [] : observed(observe)),
  ];
  if (demo === null) return lines.join('\n');
  const [first, last] = monthBefore(today);
  const show = (what: string, path: string, option = ''): string =>
    `# ${what}\ncurl -s ${option}-H 'Authorization: Token ${demo.token}' '${baseUrl}${path}'`;
  const range = `daterange=${first}%7C${last}`;
  return [
    ...lines,
    `Token of the demo organization: ${demo.token}\n`,
    show('what the API offers', '/'),
    show('the credited hours of every employee last month', `/exports/generic/?${range}&response_only=true`),
    reportId === undefined
      ? show(
          'sick days and vacation, as JSON',
          `/exports/generic/?${range}&types=sick:days%7Cvacation:days&export_format=json&response_only=true`,
        )
      : show('a day on a building site, as a PDF with photos', `/daily-reports/reports/${reportId.replace('|', '%7C')}/pdf/`, '-OJ '),
  ].join('\n');
}

function observed({ dashboards, traces, prometheus }: ObservedAt): string[] {
  const spans = traces === null ? [] : [`Traces: ${traces}`];
  return ['Observability starts in the background:', `Dashboards: ${dashboards}`, `Metrics and alerts: ${prometheus}`, ...spans];
}

/** Returns the first and last day of the previous month in the local time zone. */
export function monthBefore(today: Date): [string, string] {
  const day = (date: Date): string => date.toISOString().slice(0, 10);
  const [year, month] = [today.getFullYear(), today.getMonth()];
  return [day(new Date(Date.UTC(year, month - 1, 1))), day(new Date(Date.UTC(year, month, 0)))];
}
