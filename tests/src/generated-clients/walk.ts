import { RECORD_GROUPS } from '../support/record-groups.js';
import type { SampleOrganization } from '../support/sample-organization.js';

/** A call of an operation, with the names of the OpenAPI document. `{name}` is replaced by an id from an earlier response. */
export interface Step {
  readonly operation: string;
  readonly status: number;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: object;
  /** The name for later steps of the id in the response, or of the first entry of a list. */
  readonly keep?: string;
}

const EXPORTERS = ['generic', 'payroll_a', 'payroll_b', 'multi'];
const PERIOD = { daterange: '2026-10-01|2026-10-31' };

/** Returns steps that call every operation, for clients in any language. Created records are deleted again. */
export function walkOf({ employee, project, day }: SampleOrganization): readonly Step[] {
  return [
    ...records(),
    ...exportRuns(),
    ...reviews(employee, day),
    ...absenceRules(employee),
    ...site(project, day),
    ...access(),
    ...about(),
  ];
}

function records(): Step[] {
  const missing: Step = { operation: 'getWorkday', status: 404, path: { id: '00000000-0000-4000-8000-000000000000' } };
  return RECORD_GROUPS.flatMap((name): Step[] => [
    { operation: `list${name}s`, status: 200, query: { limit: 5, offset: 0 }, keep: name },
    { operation: `get${name}`, status: 200, path: { id: `{${name}}` } },
  ]).concat(missing);
}

function exportRuns(): Step[] {
  const pages = ['Columns', 'Types', 'Modifiers', 'Filters'];
  return [
    { operation: 'listExporters', status: 200 },
    { operation: 'runGenericExport', status: 200, query: PERIOD },
    { operation: 'runGenericExport', status: 200, query: { ...PERIOD, export_format: 'json' } },
    { operation: 'runGenericExport', status: 200, query: { ...PERIOD, export_format: 'json', response_only: true } },
    { operation: 'runGenericExport', status: 400, query: { daterange: '2026-10-31|2026-10-01' } },
    { operation: 'runPayrollAExport', status: 200, query: { ...PERIOD, export_format: 'json', response_only: true } },
    { operation: 'runPayrollBExport', status: 200, query: { ...PERIOD, config: '1|2' } },
    { operation: 'runMultiExport', status: 200, query: { ...PERIOD, config: '[{"title":"Stunden"},{"types":["vacation:days"]}]' } },
    { operation: 'runMultiExport', status: 400, query: { ...PERIOD, config: '[{"types":["works"]}]' } },
    ...EXPORTERS.flatMap((exporter) => pages.map((name): Step => ({ operation: `export${name}Page`, status: 200, path: { exporter } }))),
    // The export that main.ts has already run.
    { operation: 'runGenericExport', status: 200, query: { ...PERIOD, is_async: true }, keep: 'task' },
    { operation: 'listTasks', status: 200 },
    { operation: 'getTask', status: 200, path: { id: '{task}' } },
    { operation: 'deleteTask', status: 204, path: { id: '{task}' } },
    { operation: 'getTask', status: 404, path: { id: '{task}' } },
  ];
}

function reviews(employee: string, day: string): Step[] {
  const path = { id: '{suppression}' };
  const body = { code: 'insufficient-break', employee_id: employee, valid_from: day };
  return [
    { operation: 'runReview', status: 200, query: { year: 2026, month: 10 } },
    { operation: 'listChecks', status: 200 },
    { operation: 'listFindingGroups', status: 200 },
    { operation: 'createSuppression', status: 201, body, keep: 'suppression' },
    { operation: 'createSuppression', status: 200, body },
    { operation: 'listSuppressions', status: 200, query: { order: '-code' } },
    { operation: 'getSuppression', status: 200, path },
    { operation: 'updateSuppression', status: 200, path, body: { valid_to: '2026-12-31' } },
    { operation: 'deleteSuppression', status: 204, path },
  ];
}

function absenceRules(employee: string): Step[] {
  const path = { id: '{rule}' };
  const body = {
    employee_id: employee,
    label: 'Umzug',
    missing_type: 'vacation',
    amount: '1.50',
    priority: 1,
    available_from: '2026-10-01',
    expires_at: '2026-12-31',
  };
  return [
    { operation: 'createAbsenceRule', status: 201, body, keep: 'rule' },
    { operation: 'createAbsenceRule', status: 400, body: { ...body, amount: '-1.00' } },
    { operation: 'listAbsenceRules', status: 200, query: { daterange: '2026-01-01|2026-12-31' } },
    { operation: 'getAbsenceRule', status: 200, path },
    { operation: 'updateAbsenceRule', status: 200, path, body: { ...body, amount: '2.00' } },
    { operation: 'patchAbsenceRule', status: 200, path, body },
    { operation: 'deleteAbsenceRule', status: 204, path },
  ];
}

function site(project: string, day: string): Step[] {
  const report = { tag: project, date: day };
  return [
    { operation: 'autofillDailyReport', status: 200, body: report },
    { operation: 'listDailyReports', status: 200, query: { status: 'draft' } },
    { operation: 'listFieldTypes', status: 200 },
    { operation: 'getDailyReportStatus', status: 200, query: report },
    { operation: 'listDailyReportEntries', status: 200, query: { grouped: '1' } },
    { operation: 'createPhotoUploadToken', status: 200, body: { filename: 'a.jpg', filetype: 'image/jpeg', filesize: 1_000 } },
    { operation: 'createDailyReportBundle', status: 202, body: { date_from: day, date_to: day, projects: [project] } },
    { operation: 'getDailyReportPdf', status: 200, path: { id: `${project}|${day}` } },
  ];
}

function access(): Step[] {
  const webhook = { id: '{webhook}' };
  const body = { url: 'https://name.invalid/', description: 'ERP', event_types: ['records.workday.changed'], enabled: true };
  return [
    { operation: 'createToken', status: 201, body: { name: 'Lohnbüro', scopes: ['exports:run'], strict: true }, keep: 'token' },
    { operation: 'getToken', status: 200, path: { id: '{token}' } },
    { operation: 'listTokens', status: 200, query: { order: '-created_at' } },
    { operation: 'revokeToken', status: 204, path: { id: '{token}' } },
    { operation: 'createWebhook', status: 201, body, keep: 'webhook' },
    { operation: 'getWebhook', status: 200, path: webhook },
    { operation: 'listWebhooks', status: 200, query: { limit: 5 } },
    { operation: 'updateWebhook', status: 200, path: webhook, body: { description: null } },
    { operation: 'rotateWebhookSecret', status: 200, path: webhook },
    { operation: 'testWebhook', status: 202, path: webhook, keep: 'delivery' },
    { operation: 'listWebhookDeliveries', status: 200, path: webhook, query: { states: 'pending' } },
    { operation: 'replayWebhookDelivery', status: 202, path: { ...webhook, delivery: '{delivery}' } },
    { operation: 'replayWebhook', status: 200, path: webhook, body: { since: '2026-01-01T00:00:00', states: ['dead'] } },
    { operation: 'deleteWebhook', status: 204, path: webhook },
  ];
}

function about(): Step[] {
  return [
    { operation: 'listGroups', status: 200 },
    { operation: 'getOpenApiDocument', status: 200 },
    { operation: 'listRecordSchemas', status: 200 },
    { operation: 'getRecordSchema', status: 200, path: { kind: 'employee' } },
    { operation: 'getDocsPage', status: 200 },
  ];
}
