export { MAX_ABSENCE_DAYS, MAX_COMMENT_BYTES, MAX_CUSTOM_BYTES, MAX_CUSTOM_FIELDS, MAX_IDS } from './bounds.js';
export type { Change, Refusal } from './change.js';
export { required, type Read } from './fields/reader.js';
export { comment, longText, matching, optionalMatching, optionalText, optionalUuid, text, textOrEmpty, uuid } from './fields/texts.js';
export { date, instant, localDateTime, monthDay, nearDate, optionalDate, optionalLocalDateTime, storedInstant } from './fields/times.js';
export { amount, boolean, flag, integer, list, oneOf, optionalInteger, optionalList, optionalNumber } from './fields/values.js';
export {
  defineKind,
  envelopeOf,
  type Content,
  type Judged,
  type Kind,
  type KindDefinition,
  type Reference,
  type ReferencedKind,
} from './kind.js';
export { accepted, isStored, obstacle, overtaken, type Outcome, type Written } from './outcome.js';
export { joinedProblems } from './problem.js';
export { recordSchema, type RecordSchema } from './record-schema.js';
export { describeMissing, referencesOf } from './references.js';
export { unknownFieldsOf, type FindUnknown } from './unknown-fields.js';
