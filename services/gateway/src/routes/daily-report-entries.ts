import type { dailyReportsV1 } from '@stechuhr/contracts';
import { pageOf } from '@stechuhr/kernel';
import { callUnary, readStream } from '@stechuhr/service';
import { sendPage } from '../http/send-page.js';
import { readJsonBody } from '../middleware/json-body.js';
import { entryJson } from './daily-report-json.js';
import { BASE_PATH, type CallerExchange, type CallerRoute } from './route.js';

interface Dependencies {
  readonly dailyReports: dailyReportsV1.DailyReportsServiceClient;
}

const GROUP = 'daily-reports/entries';
const ENTRIES_PATH = `${BASE_PATH}${GROUP}/`;

export function dailyReportEntryRoutes(dependencies: Dependencies): CallerRoute[] {
  return [
    {
      path: ENTRIES_PATH,
      name: 'Daily Report Entries',
      description: 'What was recorded for the reports, corrections and deletions included.',
      authenticated: true,
      group: GROUP,
      operations: { GET: { scope: 'daily_reports:view', jsonOnly: true, handle: (exchange) => listEntries(dependencies, exchange) } },
    },
    {
      path: `${ENTRIES_PATH}upload-photo-token/`,
      name: 'Photo Upload Token',
      description: 'Forms with which a photo and its preview can be uploaded.',
      authenticated: true,
      operations: { POST: { scope: 'daily_reports:edit', jsonOnly: true, handle: (exchange) => issueToken(dependencies, exchange) } },
    },
  ];
}

async function listEntries({ dailyReports }: Dependencies, exchange: CallerExchange): Promise<void> {
  const { response, signal, principal, query, publicBase } = exchange;
  const page = pageOf(query.limit, query.offset);
  const messages = readStream(dailyReports, dailyReports.listEntries, { caller: principal.caller, parameters: query, ...page }, { signal });
  const results = ({ entries }: dailyReportsV1.ListEntriesResponse) => entries.map(entryJson);
  await sendPage(response, { address: publicBase + ENTRIES_PATH, query, ...page, messages, results, signal });
}

async function issueToken({ dailyReports }: Dependencies, { request, response, signal, principal }: CallerExchange): Promise<void> {
  const message = { caller: principal.caller, json: await readJsonBody(request) };
  const { url, fields, thumbFields } = await callUnary(dailyReports, dailyReports.issueUploadToken, message, { signal });
  response.json({ url, fields, thumb_fields: thumbFields });
}
