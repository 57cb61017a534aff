import { encodeExtended } from 'content-disposition';

/**
 * Returns the `Content-Disposition` header of a download (RFC 6266): a quoted file name for old clients, in which `_` replaces every
 * character that might be misread, and the exact name in UTF-8 (RFC 8187).
 */
export function attachment(fileName: string): string {
  const plain = fileName.replaceAll(/[^A-Za-z0-9 ._-]/g, '_');
  return `attachment; filename="${plain}"; filename*=${encodeExtended(fileName.toWellFormed())}`;
}
