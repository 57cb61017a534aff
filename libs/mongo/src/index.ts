export { connectMongo, type MongoDb, type MongoOptions } from './connect.js';
export { defineStores, type DefinedStores, type Stores, type StoresConfig, type StoresDefinition } from './define-stores.js';
export { deletionMarkerIndex, deletionMarkers, type DeletionMarkers } from './deletion-markers.js';
export { isDuplicateKey } from './duplicate-key.js';
export { mongoOptions, mongoVariables } from './environment.js';
export { outboxIndex, outboxOf, type DocumentOutbox, type OutboxEvent, type PendingEvents, type PublishedEvents } from './outbox.js';
export { sliceClaims } from './slice-claims.js';
export { sharding, shardingScript, type ShardedCollection } from './sharding.js';
export { findRaw, readSlices, type RawFindOptions, type RawReadOptions } from './raw-read.js';
