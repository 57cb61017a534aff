import type { CloudEvent } from '@stechuhr/contracts';
import type { EpochDay } from '@stechuhr/worktime';
import type { Form } from '../domain/form.js';
import type { Tenant } from './tenant.js';

/** A form stored by an organization. */
export interface StoredForm extends Form {
  readonly id: string;
  readonly validFrom: EpochDay;
  readonly institutionId: string;
  /** Position in the stream of the last live object that was written to it. */
  readonly sequence: number | undefined;
  /** Increases with every write. */
  readonly revision: number;
}

export type FormWrite = Omit<StoredForm, 'revision'>;

/**
 * `stale` if the form was changed by another process, `taken` if another form begins on that day, `foreign` if the id belongs to another institution.
 */
export type FormWritten = 'written' | 'stale' | 'taken' | 'foreign';

export interface FormStore {
  /** All forms of the institution. */
  list(tenant: Tenant): Promise<readonly Form[]>;
  load(forms: readonly (Tenant & { readonly id: string })[]): Promise<ReadonlyMap<string, StoredForm>>;
  /** Whether another institution owns the id. Queries all shards. */
  isTakenByOthers(tenant: Tenant, id: string): Promise<boolean>;
  insert(tenant: Tenant, form: FormWrite, event: CloudEvent): Promise<FormWritten>;
  /** Without an event if only the stream position is new. */
  replace(
    tenant: Tenant,
    write: { readonly before: StoredForm; readonly after: FormWrite },
    event: CloudEvent | undefined,
  ): Promise<FormWritten>;
  /** @returns false if the form was changed by another process */
  remove(tenant: Tenant, form: StoredForm, event: CloudEvent): Promise<boolean>;
  /** Removes all forms of the institution, including unpublished events. */
  removeAll(tenant: Tenant): Promise<void>;
}
