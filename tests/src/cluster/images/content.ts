import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns a hash of twelve digits over the files in a folder that match the patterns. */
export function contentOf(folder: string, patterns: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of patterns.flatMap((pattern) => filesOf(folder, pattern))) {
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(folder, file)))
      .update('\0');
  }
  return hash.digest('hex').slice(0, 12);
}

function filesOf(folder: string, pattern: string): string[] {
  const found = globSync(pattern, { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile());
  return found.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1)).sort();
}
