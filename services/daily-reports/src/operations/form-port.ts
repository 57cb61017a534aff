import type { CloudEvent } from '@stechuhr/contracts';
import type { EpochDay } from '@stechuhr/worktime';
import type { Form } from '../domain/form.js';
import type { IsGone, Tenant } from './tenant.js';

/** A form stored by an organization. */
export interface StoredForm extends Form {
  readonly id: string;
  readonly validFrom: EpochDay;
  readonly institutionId: string;
  /** Position in the stream of the live object that was written last. */
  readonly sequence: number | undefined;
  /** Increases with every write. */
  readonly revision: number;
}

export type FormWrite = Omit<StoredForm, 'revision'>;

/**
 * The outcome of a write. `stale`: the compare-and-set was lost; `taken`: another form begins on this day; `foreign`: another institution
 * uses this id.
 */
export type FormWritten = 'written' | 'stale' | 'taken' | 'foreign';

export interface FormStore {
  /** Returns all forms of the institution. */
  list(tenant: Tenant): Promise<readonly Form[]>;
  load(forms: readonly (Tenant & { readonly id: string })[]): Promise<ReadonlyMap<string, StoredForm>>;
  /** Returns whether another institution uses the id. The query covers the whole database. */
  isTakenByOthers(tenant: Tenant, id: string): Promise<boolean>;
  insert(tenant: Tenant, form: FormWrite, event: CloudEvent): Promise<FormWritten>;
  /** Replaces a form. No event is passed if only the stream position changes. */
  replace(
    tenant: Tenant,
    write: { readonly before: StoredForm; readonly after: FormWrite },
    event: CloudEvent | undefined,
  ): Promise<FormWritten>;
  /** Deletes a form. @returns false if the compare-and-set was lost */
  remove(tenant: Tenant, form: StoredForm, event: CloudEvent): Promise<boolean>;
  /** Deletes all forms of the institution, including unpublished events. @returns false if the institution exists again */
  removeAll(tenant: Tenant, isGone: IsGone): Promise<boolean>;
}
