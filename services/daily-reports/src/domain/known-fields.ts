import type { FormField, Form } from './form.js';
import { activeForm } from './form.js';
import type { DayBounds } from './report.js';

/** The fields that entries of a range of days may have. Entries with other fields are not shown. */
export interface KnownFields extends DayBounds {
  readonly fields: readonly Pick<FormField, 'id' | 'type'>[];
}

/** Returns the known fields for each range of days in which a form is active, without overlaps or gaps. */
export function knownFields(forms: readonly Form[]): readonly KnownFields[] {
  const starts = forms.flatMap(({ validFrom }) => validFrom ?? []).sort((a, b) => a - b);
  // Days before the first form have the same fields as its first day.
  const begins = starts.length === 0 ? [0] : starts;
  return begins.map((start, at) => {
    const next = begins[at + 1];
    return {
      from: at === 0 ? undefined : start,
      until: next === undefined ? undefined : next - 1,
      fields: activeForm(forms, start).fields.map(({ id, type }) => ({ id, type })),
    };
  });
}
