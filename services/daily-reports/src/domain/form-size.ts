import type { Form } from './form.js';

/** Forms of an institution: lists and imports read all of them. */
const MAX_FORMS = 100;
/** Bytes of their fields as JSON, in all of them together. */
const MAX_FORMS_BYTES = 1_048_576;

/** Bytes of the fields of a form. */
export function bytesOfForm({ fields }: Pick<Form, 'fields'>): number {
  return Buffer.byteLength(JSON.stringify(fields));
}

/** How much the forms of an institution are. */
export interface FormsSize {
  readonly forms: number;
  readonly bytes: number;
}

/** Why forms may not become as large as `after`; undefined where they may: what does not grow may always change. */
export function refusalOfForms(before: FormsSize, after: FormsSize): string | undefined {
  if (after.forms > Math.max(before.forms, MAX_FORMS)) return `The institution may not have more than ${String(MAX_FORMS)} forms.`;
  if (after.bytes > Math.max(before.bytes, MAX_FORMS_BYTES))
    return `The fields of the forms of the institution may not have more than ${String(MAX_FORMS_BYTES)} bytes.`;
  return undefined;
}
