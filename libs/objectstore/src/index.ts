export { connectObjectStore, type ObjectInfo, type ObjectStore, type ObjectStoreOptions } from './object-store.js';
