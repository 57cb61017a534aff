/** What an account gets of a record that another account of its institution has created: whether it is in the list, or the status of the response. */
type Seen = 'listed' | 'hidden' | number;

/** A row of the matrix: the scope that an operation requires, and what four accounts get. */
export interface Row {
  /** The scope of the spec, the one that strict tokens need, or null for none. */
  readonly scope: string | null;
  /** The account that owns the record, an administrator. */
  readonly own: Seen;
  /** The leader of another department, who may see all projects. */
  readonly leader: Seen;
  /** A manager who may see all employees and no project. */
  readonly other: Seen;
  /** An administrator of another institution. */
  readonly foreign: Seen;
}

const row = (scope: string | null, ...[own, leader, other, foreign]: readonly [Seen, Seen, Seen, Seen]): Row => {
  return { scope, own, leader, other, foreign };
};

/** For operations whose result does not depend on the account. */
const same = (scope: string | null, status: number): Row => row(scope, status, status, status, status);

/**
 * Who may do what over HTTP, by operation. The table was written manually from the spec and docs/rules, and is compared with the platform's
 * responses. An operation without a row fails.
 */
export const matrix: Readonly<Record<string, Row>> = {
  'GET /': same(null, 200),
  // Exports cover the employees whom the caller may see.
  'GET /exports/': same('exports:run', 200),
  'GET /exports/generic/': row('exports:run', 'listed', 'hidden', 'listed', 'hidden'),
  'GET /exports/payroll_a/': row('exports:run', 'listed', 'hidden', 'listed', 'hidden'),
  'GET /exports/payroll_b/': row('exports:run', 'listed', 'hidden', 'listed', 'hidden'),
  'GET /exports/multi/': row('exports:run', 'listed', 'hidden', 'listed', 'hidden'),
  // A task belongs to its account.
  'GET /asynchronous-tasks/tasks/': row('tasks:view', 'listed', 'hidden', 'hidden', 'hidden'),
  'GET /asynchronous-tasks/tasks/{id}/': row('tasks:view', 200, 404, 404, 404),
  'DELETE /asynchronous-tasks/tasks/{id}/': row('tasks:delete', 204, 404, 404, 404),
  // A rule is visible if its employee is.
  'GET /timestamps/absence-rules/': row('absence_rules:view', 'listed', 'hidden', 'listed', 'hidden'),
  'POST /timestamps/absence-rules/': row('absence_rules:add', 201, 400, 201, 400),
  'GET /timestamps/absence-rules/{id}/': row('absence_rules:view', 200, 404, 200, 404),
  'PUT /timestamps/absence-rules/{id}/': row('absence_rules:edit', 200, 404, 200, 404),
  'PATCH /timestamps/absence-rules/{id}/': row('absence_rules:edit', 200, 404, 200, 404),
  'DELETE /timestamps/absence-rules/{id}/': row('absence_rules:delete', 204, 404, 204, 404),
  // A review covers the whole organization, regardless of the caller.
  'GET /reviews/reviews/': row('reviews:view', 'listed', 'listed', 'listed', 'hidden'),
  'GET /reviews/reviews/checks/': same('reviews:view', 200),
  'GET /reviews/reviews/groups/': same('reviews:view', 200),
  'GET /reviews/suppressions/': row('reviews:view', 'listed', 'listed', 'listed', 'hidden'),
  'POST /reviews/suppressions/': row('suppressions:edit', 201, 201, 201, 400),
  'GET /reviews/suppressions/{id}/': row('reviews:view', 200, 200, 200, 404),
  'PATCH /reviews/suppressions/{id}/': row('suppressions:edit', 200, 200, 200, 404),
  'DELETE /reviews/suppressions/{id}/': row('suppressions:edit', 204, 204, 204, 404),
  // Daily reports cover the projects that the account may see.
  'GET /daily-reports/reports/': row('daily_reports:view', 'listed', 'listed', 'hidden', 'hidden'),
  'GET /daily-reports/reports/field-types/': same('daily_reports:view', 200),
  'GET /daily-reports/reports/status/': row('daily_reports:view', 200, 200, 400, 400),
  'POST /daily-reports/reports/autofill/': row('daily_reports:edit', 200, 200, 400, 400),
  'POST /daily-reports/reports/bundles/': row('daily_reports:view', 202, 202, 400, 400),
  'GET /daily-reports/reports/{id}/pdf/': row('daily_reports:view', 200, 200, 400, 400),
  'GET /daily-reports/entries/': row('daily_reports:view', 'listed', 'listed', 'hidden', 'hidden'),
  'POST /daily-reports/entries/upload-photo-token/': same('daily_reports:edit', 200),
  // Only records of visible employees and projects are listed.
  ...records('/employees/employees/', ['hidden', 'listed']),
  ...records('/employees/groups/', ['hidden', 'listed']),
  ...records('/contracts/contracts/', ['hidden', 'listed']),
  ...records('/projects/projects/', ['listed', 'hidden']),
  ...records('/timestamps/workdays/', ['hidden', 'listed']),
  ...records('/timestamps/timespans/', ['hidden', 'listed']),
  ...records('/timestamps/workmonths/', ['hidden', 'listed']),
  ...records('/timestamps/absence/', ['hidden', 'listed']),
  ...records('/timestamps/absence-applications/', ['hidden', 'listed']),
  ...records('/accounts/institutions/', ['listed', 'listed']),
  // A token belongs to its account.
  'GET /tokens/': row('tokens:view', 'listed', 'hidden', 'hidden', 'hidden'),
  'POST /tokens/': same('tokens:edit', 201),
  'GET /tokens/{id}/': row('tokens:view', 200, 404, 404, 404),
  'DELETE /tokens/{id}/': row('tokens:edit', 204, 404, 404, 404),
  // Webhooks receive events of every record, so they are for administrators only.
  'GET /webhooks/': row('webhooks:view', 'listed', 403, 403, 'hidden'),
  'POST /webhooks/': row('webhooks:edit', 201, 403, 403, 201),
  'GET /webhooks/{id}/': row('webhooks:view', 200, 403, 403, 404),
  'PATCH /webhooks/{id}/': row('webhooks:edit', 200, 403, 403, 404),
  'DELETE /webhooks/{id}/': row('webhooks:edit', 204, 403, 403, 404),
  'POST /webhooks/{id}/secret/': row('webhooks:edit', 200, 403, 403, 404),
  'POST /webhooks/{id}/test/': row('webhooks:edit', 202, 403, 403, 404),
  'POST /webhooks/{id}/replay/': row('webhooks:edit', 200, 403, 403, 404),
  'GET /webhooks/{id}/deliveries/': row('webhooks:view', 'listed', 403, 403, 404),
  'POST /webhooks/{id}/deliveries/{delivery}/replay/': row('webhooks:edit', 202, 403, 403, 404),
  // A department leader may see only the own account.
  ...records('/accounts/managers/', ['hidden', 'listed']),
};

/** The list of a group of records and a record in it, as the leader and the other account see them. */
function records(path: string, [leader, other]: readonly ['listed' | 'hidden', 'listed' | 'hidden']): Record<string, Row> {
  const detail = (seen: 'listed' | 'hidden'): number => (seen === 'listed' ? 200 : 404);
  return {
    [`GET ${path}`]: row('records:view', 'listed', leader, other, 'hidden'),
    [`GET ${path}{id}/`]: row('records:view', 200, detail(leader), detail(other), 404),
  };
}

/** Operations without authentication. */
export const open: readonly string[] = [
  'GET /openapi.json',
  'GET /docs/',
  'GET /schemas/',
  'GET /schemas/{kind}/',
  ...['columns', 'types', 'modifiers', 'filters'].map((page) => `GET /exports/{exporter}/${page}/`),
];

/** The scopes of the spec, to which any token may be restricted. */
export const specScopes: readonly string[] = [
  'absence_rules:view',
  'absence_rules:add',
  'absence_rules:edit',
  'absence_rules:delete',
  'daily_reports:view',
  'daily_reports:edit',
  'daily_reports:approve',
];

/** The scopes of strict tokens, for operations for which the spec names none. */
export const strictScopes: readonly string[] = [
  'exports:run',
  'tasks:view',
  'tasks:delete',
  'records:view',
  'reviews:view',
  'suppressions:edit',
  'tokens:view',
  'tokens:edit',
  'webhooks:view',
  'webhooks:edit',
];
