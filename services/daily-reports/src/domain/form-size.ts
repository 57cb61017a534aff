import type { Form } from './form.js';

/** The maximum number of forms of an institution. Lists and imports read all of them. */
const MAX_FORMS = 100;
/** The maximum size of the fields of all forms together, as JSON. */
const MAX_FORMS_BYTES = 1_048_576;

/** Returns the size of the fields of a form in bytes. */
export function bytesOfForm({ fields }: Pick<Form, 'fields'>): number {
  return Buffer.byteLength(JSON.stringify(fields));
}

/** The number and the size of the forms of an institution. */
export interface FormsSize {
  readonly forms: number;
  readonly bytes: number;
}

/** Returns why forms may not become as large as `after`; undefined if they may. A change without growth is always allowed. */
export function refusalOfForms(before: FormsSize, after: FormsSize): string | undefined {
  if (after.forms > Math.max(before.forms, MAX_FORMS)) return `The institution may not have more than ${String(MAX_FORMS)} forms.`;
  if (after.bytes > Math.max(before.bytes, MAX_FORMS_BYTES))
    return `The fields of the forms of the institution may not have more than ${String(MAX_FORMS_BYTES)} bytes.`;
  return undefined;
}
