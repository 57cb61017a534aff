import type { TextFormat } from './formats/format.js';
import type { ExportRequest } from './request/export-request.js';

const BYTE_ORDER_MARK = '\uFEFF';

/** The text before and after the content of a file in a response, and how the content is escaped and encoded. */
export interface Envelope {
  readonly before: string;
  readonly inside: (text: string) => string;
  readonly after: string;
  readonly encode: TextFormat['encoding']['encode'];
}

/**
 * Returns the envelope of a response: none for the raw file (only byte order mark and prefix), otherwise the JSON object `{request,
 * response}`, in which a file of text lines is a string.
 */
export function envelopeOf({ responseOnly, prefix, echo }: ExportRequest, format: TextFormat): Envelope {
  const beginning = (format.bom ? BYTE_ORDER_MARK : '') + prefix;
  if (responseOnly) return { before: beginning, inside: (text) => text, after: '', encode: format.encoding.encode };
  const isText = format.content === 'text';
  const inside = isText ? inString : (text: string) => text;
  const mark = isText ? '"' : '';
  return {
    before: `{"request":${JSON.stringify(echo)},"response":${mark}${inside(beginning)}`,
    inside,
    after: `${mark}}`,
    encode: (text) => Buffer.from(text, 'utf8'),
  };
}

function inString(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
