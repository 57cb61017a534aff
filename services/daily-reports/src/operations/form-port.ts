import type { CloudEvent } from '@stechuhr/contracts';
import type { EpochDay } from '@stechuhr/worktime';
import type { Form } from '../domain/form.js';
import type { Tenant } from './tenant.js';

/** A form that an organization stored. */
export interface StoredForm extends Form {
  readonly id: string;
  readonly validFrom: EpochDay;
  readonly institutionId: string;
  /** Place in the stream of the live object that was written last. */
  readonly sequence: number | undefined;
  /** Grows with every write. */
  readonly revision: number;
}

export type FormWrite = Omit<StoredForm, 'revision'>;

/** `stale` when the compare-and-set was lost, `taken` when another form begins on that day, `foreign` when the id is of another institution. */
export type FormWritten = 'written' | 'stale' | 'taken' | 'foreign';

export interface FormStore {
  /** All of the institution. */
  list(tenant: Tenant): Promise<readonly Form[]>;
  load(forms: readonly (Tenant & { readonly id: string })[]): Promise<ReadonlyMap<string, StoredForm>>;
  /** Whether another institution has the id. It asks the whole database. */
  isTakenByOthers(tenant: Tenant, id: string): Promise<boolean>;
  insert(tenant: Tenant, form: FormWrite, event: CloudEvent): Promise<FormWritten>;
  /** Without an event where only the place in the stream is new. */
  replace(
    tenant: Tenant,
    write: { readonly before: StoredForm; readonly after: FormWrite },
    event: CloudEvent | undefined,
  ): Promise<FormWritten>;
  /** @returns false when the compare-and-set was lost */
  remove(tenant: Tenant, form: StoredForm, event: CloudEvent): Promise<boolean>;
  /** All of the institution, with events that still wait. */
  removeAll(tenant: Tenant): Promise<void>;
}
