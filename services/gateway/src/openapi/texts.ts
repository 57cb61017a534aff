import { exporterNames, referencePageNames } from '@stechuhr/exporting';

const referenceLinks = exporterNames
  .map((exporter) => `${exporter} (${referencePageNames.map((name) => `[${name}](../exports/${exporter}/${name}/)`).join(', ')})`)
  .join('; ');

/** What applies to all operations (spec, General conventions). */
export const INTRODUCTION = `Working time, absences and site documentation of an organization, for payroll offices and other integrations.

- **Token**: every request needs the header \`Authorization: Token <token>\`, except for this document, its page and the reference pages of exports. A token belongs to an account and sees what the account may see: department leaders see the employees of their own departments. Records that a token may not see do not exist for it. An administrator issues the first token (\`stechuhr tokens issue --account …\`; \`npm start\` prints one); after that \`POST /tokens/\` issues more. It is shown once; send it as \`Token stu_…\`, here with *Authorize*.
- **Time**: datetimes are local time in Germany without a designator, \`2026-10-05T07:00:00\`; never append \`Z\` or an offset. Dates are \`2026-10-05\`.
- **Lists** are paginated: \`limit\` entries per page (default 100, at most 1000), starting at \`offset\`; \`next\` and \`previous\` are the addresses of the neighbouring pages. Parameters with several values separate them by \`|\`. Empty parameters count as absent, unknown ones are ignored.
- **Errors** of parameters and fields are reported together, as lists of messages by name; all other errors as \`{"detail": …}\`. Every response has an \`X-Request-Id\`; quote it when you ask for help.
- **Limits**: \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` (seconds) show how many requests are left: 600 a minute and 60 more in ten minutes, 30 exports a minute, 8 exports of a token at a time, unless the operator has set other numbers; beyond the limit the response is 429 with \`Retry-After\`. Exports have two more, with the same response: how many start in a minute (requests that are rejected with a 400 count), and how many of a token run at a time. A client that takes less than 16 KiB a second for a minute is disconnected.
- **Exports** have pages (in German) of what they know: ${referenceLinks}.
- Paths end with a slash. \`HEAD\` works wherever \`GET\` does; \`OPTIONS\` lists the methods of a path. Ids are UUIDs, accepted in any case and answered in lower case.`;

const described = {
  Exports: 'Files for payroll and accounting.',
  Tasks: 'Exports that run in the background.',
  Reviews: 'Plausibility and compliance checks over a month, and rules that hide findings.',
  'Absence rules': 'Rules that grant employees days of absence.',
  'Daily reports': 'Reports of one project and day: working times, weather, photos and more.',
  Employees: 'Employees and their departments.',
  Projects: 'Projects.',
  Contracts: 'Planned working time of employees.',
  Timestamps: 'Tracked time and absences.',
  Accounts: 'The institution and the accounts that may use the API.',
  Tokens: 'The tokens of your account.',
  Webhooks: 'Events of the institution, sent to servers of its own. For administrators.',
  About: 'The API itself.',
} as const;

/** The groups of the reference, in its order. */
export const tags = Object.entries(described).map(([name, description]) => ({ name, description }));

const prefixes: readonly (readonly [string, keyof typeof described])[] = [
  ['/exports/', 'Exports'],
  ['/asynchronous-tasks/', 'Tasks'],
  ['/reviews/', 'Reviews'],
  ['/timestamps/absence-rules/', 'Absence rules'],
  ['/daily-reports/', 'Daily reports'],
  ['/employees/', 'Employees'],
  ['/projects/', 'Projects'],
  ['/contracts/', 'Contracts'],
  ['/timestamps/', 'Timestamps'],
  ['/accounts/', 'Accounts'],
  ['/tokens/', 'Tokens'],
  ['/webhooks/', 'Webhooks'],
];

export function tagOf(path: string): keyof typeof described {
  return prefixes.find(([prefix]) => path.startsWith(prefix))?.[1] ?? 'About';
}
