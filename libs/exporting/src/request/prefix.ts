import { encodableForm } from '../encodings/encodable-columns.js';
import type { ChosenFormat } from '../formats/format.js';
import type { Report } from '../problems.js';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads the parameter `prefix`: strict base64 of UTF-8, only for text formats. */
export function readPrefix(text: string | null, format: ChosenFormat, report: Report): string {
  if (text === null) return '';
  if (format.content !== 'text') report('Only the formats csv, plain and table take a prefix.');
  const prefix = decodeBase64(text);
  if (prefix === undefined) {
    report('Must be valid base64 of UTF-8 text.');
    return '';
  }
  const encodable = encodableForm(prefix, format.encoding);
  if (encodable === undefined) report(`The prefix has characters that ${format.encoding.name} cannot encode.`);
  return encodable ?? '';
}

function decodeBase64(text: string): string | undefined {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text) return undefined;
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}
