export { createAddresses, type Addresses, type PostSignature } from './addresses.js';
export type { Bucket } from './bucket.js';
export { endpointVariable, objectStoreOptions, objectStoreVariables } from './environment.js';
export { connectObjectStore, type ListedObject, type ObjectInfo, type ObjectStore } from './object-store.js';
export type { PostForm } from './post-form.js';
export { provideStoreUsers, type StoreAdministrator, type StoreUser } from './store-users.js';
export {
  isUploadKey,
  keptKeyOf,
  photoKey,
  photoTypeOf,
  thumbKeyOf,
  UPLOADS,
  uploadsOf,
  type PhotoType,
  type UploadNamespace,
} from './upload-keys.js';
