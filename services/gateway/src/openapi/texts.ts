import { exporterNames, referencePageNames } from '@stechuhr/exporting';

const referenceLinks = exporterNames
  .map((exporter) => `${exporter} (${referencePageNames.map((name) => `[${name}](../exports/${exporter}/${name}/)`).join(', ')})`)
  .join('; ');

/** The conventions of all operations (spec, General conventions). */
export const INTRODUCTION = `Working time, absences and site documentation of an organization, for payroll offices and other integrations.

- **Token**: every request needs the header \`Authorization: Token <token>\`. The exceptions are this document, its page, the JSON Schemas of records, and the reference pages of exports. An operator issues the first token (\`stechuhr tokens issue --account …\`; \`npm start\` prints one). After that, \`POST /tokens/\` issues more. A token is shown only once. To try requests out on this page, choose *Authorize* and enter \`Token stu_…\`.
- **Visibility**: a token belongs to an account and sees only what the account may see: department leaders see only the employees of their own departments. Records that a token may not see do not exist for it.
- **Time**: datetimes are local time in Germany without a time zone, \`2026-10-05T07:00:00\`; never append \`Z\` or an offset. Dates are \`2026-10-05\`.
- **Lists** are paginated. A page has \`limit\` entries (default 100, at most 1000), starting at \`offset\`; \`next\` and \`previous\` are the addresses of the neighbouring pages. Separate several values of a parameter by \`|\`. Empty parameters count as absent, and unknown parameters are ignored.
- **Errors** of parameters and fields are reported together, as lists of messages by name. All other errors have the form \`{"detail": …}\`. Every response has an \`X-Request-Id\`; quote it when you ask for help.
- **Limits**: a token may send 600 requests a minute and 60 more in ten minutes. It may start 30 exports a minute, including those that are rejected with 400, and run 8 exports at a time. The operator may have set other numbers. \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` (seconds) show how many requests are left. Beyond a limit, the response is 429 with \`Retry-After\`. A client that reads less than 16 KiB a second for a minute is disconnected.
- **Exports** have reference pages (in German) that list what each exporter supports: ${referenceLinks}.
- Paths end with a slash. \`HEAD\` works wherever \`GET\` does; \`OPTIONS\` lists the methods of a path. Ids are UUIDs. They are accepted in upper and lower case and returned in lower case.`;

const described = {
  Exports: 'Files for payroll and accounting.',
  Tasks: 'Exports that run in the background.',
  Reviews: 'Plausibility and compliance checks of a month, and rules that hide findings.',
  'Absence rules': 'Rules that grant employees days of absence.',
  'Daily reports': 'Reports on one day of a project: working times, weather, photos and more.',
  Employees: 'Employees and their departments.',
  Projects: 'Projects.',
  Contracts: 'Planned working time of employees.',
  Timestamps: 'Tracked time and absences.',
  Accounts: 'The institution and the accounts that may use the API.',
  Tokens: 'The tokens of your account.',
  Webhooks: 'Events of the institution that are sent to its own servers. Only for administrators who may see all projects.',
  About: 'The API itself.',
} as const;

/** The groups of the reference, in the order of their appearance. */
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
