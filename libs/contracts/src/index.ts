export * as absenceRulesV1 from './gen/stechuhr/absence_rules/v1/absence_rules.js';
export * as browseV1 from './gen/stechuhr/records/v1/browse.js';
export * as commonV1 from './gen/stechuhr/common/v1/caller.js';
export * as dailyReportsV1 from './gen/stechuhr/daily_reports/v1/daily_reports.js';
export * as exportsV1 from './gen/stechuhr/exports/v1/exports.js';
export * as inspectionV1 from './gen/stechuhr/inspection/v1/inspection.js';
export * as recordsV1 from './gen/stechuhr/records/v1/records.js';
export * as reviewsV1 from './gen/stechuhr/reviews/v1/reviews.js';
export * as tasksV1 from './gen/stechuhr/tasks/v1/tasks.js';
export * as webhooksV1 from './gen/stechuhr/webhooks/v1/webhooks.js';
export { incompleteCall, namedCaller, requireCaller, roleName, roles, visibilityKey, type KnownCaller, type RoleName } from './caller.js';
export { busUsers, OPERATOR, type BusRights } from './bus-rights.js';
export {
  allStreams,
  byPartitioned,
  isPartitionCount,
  layoutOf,
  MAPPING_PROBE,
  metadataOf,
  metadataOfPlan,
  MOST_PARTITIONS,
  ONE_PARTITION,
  partitionedName,
  partitionedNames,
  partitionedStreams,
  plannedPartitions,
  PROVISIONING_LOCK,
  slotOf,
  slotsOf,
  streamsOf,
  subscriptionsOf,
  type Layout,
  type Layouts,
  type PartitionedName,
  type PartitionedStream,
} from './partitions.js';
export { events, eventTypes, ingestKinds, type EventDefinition, type EventType } from './events.js';
export { grpcClientSchema, openMethods, type GrpcClient } from './grpc-clients.js';
export { callersOf, grpcRights, mayBrowse, type GrpcCaller } from './grpc-rights.js';
export { institutionOf, mayGrant, needsGrant } from './grpc-grants.js';
export { exportJobSchema, exportJobSubject, type ExportJobMessage } from './jobs.js';
export { recordSchemas } from './record-schemas.js';
export { requireCounts, requireDay, requireInstant, requirePage } from './request-fields.js';
export { shownSubject } from './shown-subject.js';
export { streams, type StreamDefinition } from './streams.js';
export { SUBSCRIBER_API, subscriberDurable, subscriberFilters, subscriberProblem, type Subscriber } from './subscribers.js';
export { subscriptions, type Subscription } from './subscriptions.js';
export {
  deadLetterSubject,
  deadLetterSubjects,
  deletionSubject,
  entitySubject,
  eventSubject,
  handedOver,
  handedOverKinds,
  handOverHeaders,
  handOverSubject,
  handOverSubjectAmongJobs,
  ingestSubject,
  institutionOfSubject,
  originOf,
  originOfDeadLetter,
  parseIngestSubject,
  wasHandedOver,
} from './subjects.js';
export { cloudEventSchema, type CloudEvent } from './cloud-event.js';
export { deadLetterSchema, type DeadLetter } from './dead-letter.js';
export { absenceRuleBody, absenceRuleNumbers, ruleSources } from './rest/absence-rules.js';
export {
  autofillBody,
  BUNDLE_EXPORTER,
  bundleBody,
  MAX_BUNDLE_REPORTS,
  MAX_PDF_BYTES,
  MAX_PDF_ENTRIES,
  MAX_PHOTO_BYTES,
  readEntriesQuery,
  readReportsQuery,
  reportStatuses,
  reportStatusQuery,
  uploadTokenBody,
  uploadTokenNumbers,
  type EntriesQuery,
  type ReportsQuery,
  type ReportStatusName,
} from './rest/daily-reports.js';
export { judgeBody, judgePartialBody, parseBody, type JudgedBody } from './rest/fields.js';
export { listOrders, ListParameters, type DateBounds, type DateRange, type Ordering } from './rest/list-parameters.js';
export { readJson } from './rest/read-json.js';
export { archivedChoices, recordGroups, type RecordGroupList, type RecordGroupName } from './rest/record-groups.js';
export { checkCodes, reviewQuery, suppressionBody } from './rest/reviews.js';
export { deliveryStates, replayBody, webhookBody } from './rest/webhooks.js';
