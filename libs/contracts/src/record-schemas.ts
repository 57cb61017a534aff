import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = new URL('../schemas/', import.meta.url);

/** Returns the JSON Schema of each kind of record, by name, which describes import lines and live objects (docs/records/README.md). */
export function recordSchemas(): ReadonlyMap<string, object> {
  const files = readdirSync(FOLDER).sort();
  return new Map(files.map((file) => [file.replace(/\.json$/, ''), JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as object]));
}
