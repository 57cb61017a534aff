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
];

export function tagOf(path: string): keyof typeof described {
  return prefixes.find(([prefix]) => path.startsWith(prefix))?.[1] ?? 'About';
}
