import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** @throws if the SHA-256 of a downloaded file is not the expected one */
export function verifyChecksum(file: string, sha256: string): void {
  const actual = createHash('sha256').update(readFileSync(file)).digest('hex');
  if (actual !== sha256) throw new Error(`${basename(file)} has the checksum ${actual}, expected ${sha256}: not used`);
}
