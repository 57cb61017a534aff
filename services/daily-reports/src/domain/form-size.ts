import type { Form } from './form.js';

/** Limit of forms per institution: lists and imports read all of them. */
const MAX_FORMS = 100;
/** Limit for the fields of all forms together, as JSON. */
const MAX_FORMS_BYTES = 1_048_576;

/** Size of the fields of a form. */
export function bytesOfForm({ fields }: Pick<Form, 'fields'>): number {
  return Buffer.byteLength(JSON.stringify(fields));
}

/** The number and size of an institution's forms. */
export interface FormsSize {
  readonly forms: number;
  readonly bytes: number;
}

/** Why forms may not grow to `after`; undefined if they may. Changes that do not increase the size are always allowed. */
export function refusalOfForms(before: FormsSize, after: FormsSize): string | undefined {
  if (after.forms > Math.max(before.forms, MAX_FORMS)) return `The institution may not have more than ${String(MAX_FORMS)} forms.`;
  if (after.bytes > Math.max(before.bytes, MAX_FORMS_BYTES))
    return `The fields of the forms of the institution may not have more than ${String(MAX_FORMS_BYTES)} bytes.`;
  return undefined;
}
