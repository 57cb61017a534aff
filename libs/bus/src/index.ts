export { connectBus, type Bus, type BusOptions } from './connect.js';
export type { ConsumeOptions, Consumption } from './consume.js';
export { deletionConsumer, type Deletion } from './deletion-consumer.js';
export { createEvent, subjectOf, type EventInput } from './create-event.js';
export type { DeadLetter } from './dead-letter.js';
export type { BusMessage } from './message.js';
export { startOutboxRelay, type OutboxRelay, type OutboxRelayOptions, type OutboxStore } from './outbox-relay.js';
export type { PublishOptions } from './publish.js';
export { activeTraceparent } from './tracing.js';
