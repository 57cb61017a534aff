import type { EpochDay } from '@stechuhr/worktime';
import type { FieldTypeId } from './entry-value.js';

/** What every field has. */
export interface Labelled {
  readonly id: string;
  /** In the language of the organization. */
  readonly label: string;
}

export interface WeatherConfig {
  /** `HHMM` */
  readonly times: readonly string[];
  readonly autofillFromApi: boolean;
}

export interface TrackingConfig {
  readonly autofillFromTracking: boolean;
}

/** The configuration of a type without options. */
export type NoConfig = Readonly<Record<never, never>>;

/** A field of a form; its type determines its options. */
export type FormField = Labelled &
  (
    | { readonly type: 'weather'; readonly config: WeatherConfig }
    | { readonly type: 'employee-working-times' | 'activities'; readonly config: TrackingConfig }
    | { readonly type: Exclude<FieldTypeId, 'weather' | 'employee-working-times' | 'activities'>; readonly config: NoConfig }
  );

/** The structure of an organization's reports from a certain day on. */
export interface Form {
  /** Null for the built-in form. */
  readonly id: string | null;
  /** Null for the built-in form, which has no first day. */
  readonly validFrom: EpochDay | null;
  /** In display order. */
  readonly fields: readonly FormField[];
}

export const builtInForm: Form = {
  id: null,
  validFrom: null,
  fields: [
    { id: 'weather', type: 'weather', label: 'Witterung', config: { times: ['0700', '1200', '1700'], autofillFromApi: false } },
    { id: 'employee-working-times', type: 'employee-working-times', label: 'Mitarbeitende', config: { autofillFromTracking: true } },
    { id: 'subcontractors', type: 'subcontractors', label: 'Nachunternehmen', config: {} },
    { id: 'activities', type: 'activities', label: 'Tätigkeiten', config: { autofillFromTracking: true } },
    { id: 'materials', type: 'string', label: 'Material- / Geräteeinsatz', config: {} },
    { id: 'comments', type: 'string', label: 'Bemerkungen / Behinderungen', config: {} },
    { id: 'photos', type: 'image', label: 'Fotos', config: {} },
    { id: 'signatures', type: 'signature', label: 'Unterschriften', config: {} },
  ],
};

/**
 * The form by which a report of that date is read and validated: the latest one that is valid by then, otherwise the oldest, otherwise the built-in
 * one.
 */
export function activeForm(forms: readonly Form[], date: EpochDay): Form {
  const byStart = [...forms].sort((a, b) => startOf(a) - startOf(b));
  return byStart.findLast((form) => startOf(form) <= date) ?? byStart[0] ?? builtInForm;
}

/** Whether its reports get readings of the weather service. */
export function capturesWeather({ fields }: Pick<Form, 'fields'>): boolean {
  return fields.some(({ type, config }) => type === 'weather' && config.autofillFromApi);
}

/** The field of an entry; undefined if the form has no such field, or one of another type. */
export function fieldOf(form: Form, { fieldId, value }: { fieldId: string; value: { type: FieldTypeId } }): FormField | undefined {
  return form.fields.find(({ id, type }) => id === fieldId && type === value.type);
}

function startOf({ validFrom }: Form): EpochDay {
  return validFrom ?? Number.NEGATIVE_INFINITY;
}
