/**
 * `Content-Disposition` of a download (RFC 6266): the plain name for old clients, and the exact one in UTF-8 (RFC 8187).
 */
export function attachment(fileName: string): string {
  const plain = fileName.replaceAll(/[^A-Za-z0-9 ._-]/g, '_');
  return `attachment; filename="${plain}"; filename*=UTF-8''${extValue(fileName)}`;
}

/** RFC 8187, 3.2.1: encodeURIComponent leaves four characters that are no attr-char. */
function extValue(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
