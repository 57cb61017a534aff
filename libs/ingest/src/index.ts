export type { Apply, ApplyTerms } from './apply.js';
export type { ImportEvent, ImportLine } from './import-events.js';
export { importLines, type BatchSize, type ImportOptions } from './import-lines.js';
export { importRpc } from './import-rpc.js';
export type { ImportCounts } from './import-tally.js';
export { ingestObject, type Ingest, type LiveObject } from './ingest-object.js';
export { createLineJudge, type JudgedLine, type LineJudge } from './judge-line.js';
export { handedOverConsumer, liveConsumer, type LiveOptions } from './live-consumers.js';
export {
  applyToOwnedKinds,
  type DeletionMarkers,
  type OwnedKind,
  type OwnedKindsOptions,
  type Put,
  type ReferenceLookup,
} from './owned-kinds.js';
export { untilSettled } from './until-settled.js';
