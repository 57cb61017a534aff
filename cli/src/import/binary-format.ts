/** Signatures of binary files that are often imported by mistake. Without this check, every "line" would be rejected without a helpful reason. */
const BEGINNINGS: readonly (readonly [bytes: Buffer, what: string])[] = [
  [Buffer.from([0x1f, 0x8b]), 'compressed with gzip. Unpack it: zcat … | stechuhr import -'],
  [Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), 'compressed with zstd. Unpack it: zstdcat … | stechuhr import -'],
  [Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a]), 'compressed with xz. Unpack it: xzcat … | stechuhr import -'],
  [Buffer.from([0x50, 0x4b, 0x03, 0x04]), 'a zip archive or a workbook. Unpack it, or save the sheet as CSV'],
  [Buffer.from([0xff, 0xfe]), 'UTF-16. Save it as UTF-8'],
  [Buffer.from([0xfe, 0xff]), 'UTF-16. Save it as UTF-8'],
];

/** What kind of binary file begins with this chunk and what to do with it, as the end of a sentence; undefined if it may be text. */
export function binaryFormatOf(chunk: Uint8Array): string | undefined {
  return BEGINNINGS.find(([bytes]) => bytes.equals(chunk.subarray(0, bytes.length)))?.[1];
}
