export * as commonV1 from './gen/stechuhr/common/v1/caller.js';
export * as exportsV1 from './gen/stechuhr/exports/v1/exports.js';
export * as recordsV1 from './gen/stechuhr/records/v1/records.js';
export { events, ingestKinds, type EventDefinition, type EventType } from './events.js';
export { streams, type StreamDefinition } from './streams.js';
export { deadLetterSubject, eventSubject, ingestSubject, parseIngestSubject } from './subjects.js';
export { cloudEventSchema, type CloudEvent } from './cloud-event.js';
export { dateField, hundredthsField, integerField, nullable, parseBody, textField, uuidField } from './rest/fields.js';
