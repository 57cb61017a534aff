import type { EpochDay } from '@stechuhr/worktime';
import type { FieldTypeId } from './entry-value.js';

/** The properties that all fields have. */
export interface Labelled {
  readonly id: string;
  /** The label, in the language of the organization. */
  readonly label: string;
}

export interface WeatherConfig {
  /** Times of day, `HHMM`. */
  readonly times: readonly string[];
  readonly autofillFromApi: boolean;
}

export interface TrackingConfig {
  readonly autofillFromTracking: boolean;
}

/** The options of a type that has none. */
export type NoConfig = Readonly<Record<never, never>>;

/** A field of a form. Its type determines which options it has. */
export type FormField = Labelled &
  (
    | { readonly type: 'weather'; readonly config: WeatherConfig }
    | { readonly type: 'employee-working-times' | 'activities'; readonly config: TrackingConfig }
    | { readonly type: Exclude<FieldTypeId, 'weather' | 'employee-working-times' | 'activities'>; readonly config: NoConfig }
  );

/** The fields of the reports of an organization from a day on. */
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
 * Returns the form with which a report of a date is read and validated: the latest active form or else the oldest form or else the built-in
 * one.
 */
export function activeForm(forms: readonly Form[], date: EpochDay): Form {
  const byStart = [...forms].sort((a, b) => startOf(a) - startOf(b));
  return byStart.findLast((form) => startOf(form) <= date) ?? byStart[0] ?? builtInForm;
}

/** Returns whether weather is captured for the reports of a form. */
export function capturesWeather({ fields }: Pick<Form, 'fields'>): boolean {
  return fields.some(({ type, config }) => type === 'weather' && config.autofillFromApi);
}

/** Returns the field of an entry; undefined if the form has no such field, or one of another type. */
export function fieldOf(form: Form, { fieldId, value }: { fieldId: string; value: { type: FieldTypeId } }): FormField | undefined {
  return form.fields.find(({ id, type }) => id === fieldId && type === value.type);
}

function startOf({ validFrom }: Form): EpochDay {
  return validFrom ?? Number.NEGATIVE_INFINITY;
}
