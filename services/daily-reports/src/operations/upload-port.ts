import type { Upload } from '../domain/upload.js';
import type { Tenant } from './tenant.js';

/** Records the state of uploads; keys begin with their institution. */
export interface UploadStore {
  /** Records that forms for these keys are issued. */
  issued(tenant: Tenant, keys: readonly string[]): Promise<void>;
  /** The number of uploads that no entry references, counted up to a limit. */
  countUnnamed(tenant: Tenant, limit: number): Promise<number>;
  /** Records that an entry with these keys is being stored or was removed, so that each of them is due soon. */
  named(tenant: Tenant, keys: readonly string[]): Promise<void>;
  /** Those of the keys whose photos were copied for an entry. */
  keptOf(tenant: Tenant, keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** The keys of all institutions whose photos were copied for an entry, in their order. */
  allKept(): AsyncIterable<Tenant & { readonly key: string }>;
  /** Those of the keys that are known. */
  known(tenant: Tenant, keys: readonly string[]): Promise<ReadonlySet<string>>;
  setKept(tenant: Tenant, key: string): Promise<void>;
  /** Uploads of all institutions that are due; each is claimed for some minutes, so that no other process gets it. */
  claimDue(limit: number): Promise<readonly Upload[]>;
  /**
   * Sets when to check an upload again.
   * @param at undefined: never
   * @returns false if the upload was changed since it was claimed, because an entry references it; it then keeps the time that was set
   */
  lookAgain(upload: Upload, at: number | undefined): Promise<boolean>;
  remove(upload: Upload): Promise<void>;
  /** Forgets the uploads of an institution. Those whose form is still valid are due when it expires. */
  removeAll(tenant: Tenant): Promise<void>;
}
