import { encodeExtended } from 'content-disposition';

/**
 * The `Content-Disposition` of a download (RFC 6266): the name in quotes for old clients, with `_` for every character that they could misinterpret,
 * and the exact name in UTF-8 (RFC 8187).
 */
export function attachment(fileName: string): string {
  const plain = fileName.replaceAll(/[^A-Za-z0-9 ._-]/g, '_');
  return `attachment; filename="${plain}"; filename*=${encodeExtended(fileName.toWellFormed())}`;
}
