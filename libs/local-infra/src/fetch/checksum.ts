import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** Throws when a fetched file is not the one whose SHA-256 we know: it was exchanged on the way, or at its source. */
export function verifyChecksum(file: string, sha256: string): void {
  const actual = createHash('sha256').update(readFileSync(file)).digest('hex');
  if (actual !== sha256) throw new Error(`${basename(file)} has the checksum ${actual}, expected ${sha256}: not used`);
}
