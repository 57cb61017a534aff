/** How files begin that are often taken for their content. Each would be rejected line by line, by the million, with no word of what it is. */
const BEGINNINGS: readonly (readonly [bytes: Buffer, what: string])[] = [
  [Buffer.from([0x1f, 0x8b]), 'compressed with gzip. Unpack it: zcat … | stechuhr import -'],
  [Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), 'compressed with zstd. Unpack it: zstdcat … | stechuhr import -'],
  [Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a]), 'compressed with xz. Unpack it: xzcat … | stechuhr import -'],
  [Buffer.from([0x50, 0x4b, 0x03, 0x04]), 'a zip archive or a workbook. Unpack it, or save the sheet as CSV'],
  [Buffer.from([0xff, 0xfe]), 'UTF-16. Save it as UTF-8'],
  [Buffer.from([0xfe, 0xff]), 'UTF-16. Save it as UTF-8'],
];

/** What a file is that begins so, and what to do with it, as the end of a sentence; undefined where it may be text. */
export function noText(chunk: Uint8Array): string | undefined {
  return BEGINNINGS.find(([bytes]) => bytes.equals(chunk.subarray(0, bytes.length)))?.[1];
}
