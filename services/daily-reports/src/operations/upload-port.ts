import type { Upload } from '../domain/upload.js';
import type { Tenant } from './tenant.js';

/** Stores the state of uploads. Keys begin with their institution. */
export interface UploadStore {
  /** Records that forms for these keys are issued. */
  issued(tenant: Tenant, keys: readonly string[]): Promise<void>;
  /** Counts the uploads to which no entry has referred, up to a limit. */
  countUnnamed(tenant: Tenant, limit: number): Promise<number>;
  /** Records that an entry with these keys is being stored or was removed. The uploads are due soon. */
  named(tenant: Tenant, keys: readonly string[]): Promise<void>;
  /** Returns the keys whose objects are kept. */
  keptOf(tenant: Tenant, keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** Streams the keys of kept objects of all institutions, sorted. */
  allKept(): AsyncIterable<Tenant & { readonly key: string }>;
  /** Returns the keys that are recorded. */
  known(tenant: Tenant, keys: readonly string[]): Promise<ReadonlySet<string>>;
  setKept(tenant: Tenant, key: string): Promise<void>;
  /** Returns due uploads of all institutions. Each one is claimed for some minutes, so that no other process gets it. */
  claimDue(limit: number): Promise<readonly Upload[]>;
  /**
   * Sets when to check an upload again.
   *
   * @param at undefined means never
   * @returns false if an entry has referred to the upload since it was claimed; it is then due at the time set by that entry
   */
  reschedule(upload: Upload, at: number | undefined): Promise<boolean>;
  remove(upload: Upload): Promise<void>;
  /** Deletes the records of uploads of an institution. Uploads whose form may still be used are due when it expires. */
  removeAll(tenant: Tenant): Promise<void>;
}
