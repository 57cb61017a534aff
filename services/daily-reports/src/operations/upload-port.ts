import type { Upload } from '../domain/upload.js';
import type { Tenant } from './tenant.js';

/** What is known of the uploads; keys begin with their institution. */
export interface UploadStore {
  /** Notes that forms for these keys are issued. */
  issued(tenant: Tenant, keys: readonly string[]): Promise<void>;
  /** How many no entry has named, counted up to a limit. */
  countUnnamed(tenant: Tenant, limit: number): Promise<number>;
  /** Notes that an entry with these keys is being stored or was removed: each is due soon. */
  named(tenant: Tenant, keys: readonly string[]): Promise<void>;
  /** Those of the keys whose objects are kept. */
  keptOf(tenant: Tenant, keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** The keys of any institution whose objects are kept, in their order. */
  allKept(): AsyncIterable<Tenant & { readonly key: string }>;
  /** Those of the keys of which anything is known. */
  known(tenant: Tenant, keys: readonly string[]): Promise<ReadonlySet<string>>;
  setKept(tenant: Tenant, key: string): Promise<void>;
  /** Uploads of any institution that are due; each is claimed for some minutes, so that no other process gets it. */
  claimDue(limit: number): Promise<readonly Upload[]>;
  /**
   * @param at undefined: never
   * @returns whether it is as it was claimed: else an entry has named it meanwhile, and it is due when that says
   */
  lookAgain(upload: Upload, at: number | undefined): Promise<boolean>;
  remove(upload: Upload): Promise<void>;
  /** Forgets the uploads of an institution; those whose form may still be used are due when it expires. */
  removeAll(tenant: Tenant): Promise<void>;
}
