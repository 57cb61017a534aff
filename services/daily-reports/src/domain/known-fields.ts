import type { FormField, Form } from './form.js';
import { activeForm } from './form.js';
import type { DayBounds } from './report.js';

/** The fields that entries may have in a period; entries of other fields are omitted. */
export interface KnownFields extends DayBounds {
  readonly fields: readonly Pick<FormField, 'id' | 'type'>[];
}

/** The known fields over time: one period for each form, without overlaps or gaps. */
export function knownFields(forms: readonly Form[]): readonly KnownFields[] {
  const starts = forms.flatMap(({ validFrom }) => validFrom ?? []).sort((a, b) => a - b);
  // Days before the first form use the form of its first day.
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
