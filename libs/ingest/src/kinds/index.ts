export type { Change, Refusal } from './change.js';
export { required, type Read } from './fields/reader.js';
export { comment, longText, matching, optionalMatching, optionalText, optionalUuid, text, textOrEmpty, uuid } from './fields/texts.js';
export { date, instant, localDateTime, monthDay, optionalDate, optionalLocalDateTime, storedInstant } from './fields/times.js';
export { amount, boolean, flag, integer, list, oneOf, optionalInteger, optionalList, optionalNumber } from './fields/values.js';
export { defineKind, type Content, type Judged, type Kind, type KindDefinition, type Reference, type ReferencedKind } from './kind.js';
export { accepted, isKnown, obstacle, overtaken, type Outcome, type Written } from './outcome.js';
export { describeMissing, referencesOf } from './references.js';
