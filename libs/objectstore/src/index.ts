export { objectStoreOptions, objectStoreVariables } from './environment.js';
export { connectObjectStore, type ObjectInfo, type ObjectStore, type ObjectStoreOptions } from './object-store.js';
