import { RecordGroup } from './gen/stechuhr/records/v1/browse.js';

/** A caller over gRPC: the common name of its certificate. `toolbox` is the command line of the operators. */
export type GrpcCaller = 'absence-rules' | 'daily-reports' | 'exports' | 'gateway' | 'reviews' | 'toolbox' | 'worker';

type Methods = Readonly<Record<string, readonly GrpcCaller[]>>;

/**
 * The callers that may call each method, if calls are authenticated; a method without an entry accepts nobody. A new RPC needs one entry
 * here. The topology (deploy/local) defines which services connect to each other; this table defines for what.
 */
export const grpcRights: Readonly<Record<string, Methods>> = {
  'stechuhr.records.v1.RecordsService': {
    Import: ['toolbox'],
    CheckImport: ['toolbox'],
    GetAccount: ['gateway', 'toolbox'],
    ListAccounts: ['toolbox'],
    GetInstitution: ['absence-rules', 'daily-reports', 'exports', 'reviews', 'worker'],
    ListDepartments: ['exports', 'toolbox', 'worker'],
    ListProjects: ['daily-reports', 'exports', 'toolbox', 'worker'],
    ListEmployees: ['exports', 'toolbox', 'worker'],
    ListEntitlements: ['absence-rules', 'reviews', 'toolbox'],
    FindMissing: ['daily-reports', 'reviews', 'worker'],
    ReadTimeRecords: ['absence-rules', 'exports', 'reviews', 'worker'],
    ReadProjectDay: ['daily-reports'],
  },
  'stechuhr.records.v1.BrowseService': {
    ListRecords: ['daily-reports', 'gateway'],
    GetRecord: ['daily-reports', 'gateway'],
  },
  // Served by each service with data.
  'stechuhr.inspection.v1.InspectionService': { Inspect: ['toolbox'] },
  'stechuhr.exports.v1.ExportsService': {
    ListExporters: ['gateway'],
    RunExport: ['gateway', 'toolbox'],
    Preflight: ['toolbox'],
  },
  'stechuhr.tasks.v1.TasksService': {
    FindExport: ['exports', 'daily-reports'],
    StartExport: ['exports', 'daily-reports'],
    ListTasks: ['gateway', 'toolbox'],
    GetTask: ['gateway', 'toolbox'],
    DeleteTask: ['gateway', 'toolbox'],
  },
  'stechuhr.tasks.v1.ExportJobsService': {
    ClaimJob: ['worker'],
    ReportProgress: ['worker'],
    FinishJob: ['worker'],
    FailJob: ['worker'],
    ReleaseJob: ['worker'],
  },
  'stechuhr.absence_rules.v1.AbsenceRulesService': {
    ListRules: ['gateway'],
    GetRule: ['gateway'],
    CreateRule: ['gateway'],
    UpdateRule: ['gateway'],
    DeleteRule: ['gateway'],
    GetBalances: ['exports', 'worker'],
  },
  'stechuhr.reviews.v1.ReviewsService': {
    RunReview: ['gateway', 'toolbox'],
    CountOpenErrors: ['exports'],
    ListChecks: ['gateway'],
    ListGroups: ['gateway'],
    ListSuppressions: ['gateway', 'toolbox'],
    GetSuppression: ['gateway'],
    CreateSuppression: ['gateway'],
    UpdateSuppression: ['gateway'],
    DeleteSuppression: ['gateway'],
    Import: ['toolbox'],
    CheckImport: ['toolbox'],
  },
  'stechuhr.daily_reports.v1.DailyReportsService': {
    Import: ['toolbox'],
    CheckImport: ['toolbox'],
    ListReports: ['gateway'],
    ListEntries: ['gateway', 'toolbox'],
    GetStatus: ['gateway', 'toolbox'],
    ChangeStatus: ['toolbox'],
    Autofill: ['gateway', 'toolbox'],
    RenderPdf: ['gateway'],
    StartBundle: ['gateway', 'toolbox'],
    RenderBundle: ['worker'],
    IssueUploadToken: ['gateway', 'toolbox'],
    ListFieldTypes: ['gateway'],
    GetForm: ['toolbox'],
    RebuildDescriptors: ['toolbox'],
  },
  'stechuhr.webhooks.v1.WebhooksService': {
    ListWebhooks: ['gateway', 'toolbox'],
    GetWebhook: ['gateway', 'toolbox'],
    CreateWebhook: ['gateway', 'toolbox'],
    UpdateWebhook: ['gateway', 'toolbox'],
    DeleteWebhook: ['gateway', 'toolbox'],
    RotateSecret: ['gateway', 'toolbox'],
    TestWebhook: ['gateway', 'toolbox'],
    ListDeliveries: ['gateway', 'toolbox'],
    ReplayDelivery: ['gateway', 'toolbox'],
    ReplayDeliveries: ['gateway', 'toolbox'],
  },
  // For people who inspect a running service; health checks have their own port.
  'grpc.reflection.v1.ServerReflection': { ServerReflectionInfo: ['toolbox'] },
  'grpc.reflection.v1alpha.ServerReflection': { ServerReflectionInfo: ['toolbox'] },
};

/**
 * The groups of records that a caller may list (`BrowseService`): the gateway all of them, other services those that they need. Callers
 * without an entry may list none.
 */
const browsable: Partial<Record<GrpcCaller, readonly RecordGroup[]>> = {
  gateway: Object.values(RecordGroup),
  'daily-reports': [RecordGroup.RECORD_GROUP_EMPLOYEES, RecordGroup.RECORD_GROUP_MANAGERS, RecordGroup.RECORD_GROUP_PROJECTS],
};

/** Whether a caller may list records of a group. Callers without a certificate have no name; then the network is trusted. */
export function mayBrowse(caller: string | undefined, group: RecordGroup): boolean {
  if (caller === undefined) return true;
  return Object.hasOwn(browsable, caller) && browsable[caller as GrpcCaller]?.includes(group) === true;
}

const callersByPath: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(grpcRights).flatMap(([service, methods]) =>
    Object.entries(methods).map(([method, callers]) => [`/${service}/${method}`, callers] as const),
  ),
);

/** Returns the callers that may call a method, by its path (`/stechuhr.records.v1.RecordsService/Import`). */
export function callersOf(path: string): readonly string[] {
  return callersByPath.get(path) ?? [];
}
