import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** An HTTP response. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

/** The files of a folder, listed once by their relative paths, so that no file outside can be requested. `gzip`: they are compressed. */
export class PageFiles {
  private readonly names: ReadonlySet<string>;

  constructor(
    private readonly folder: string,
    private readonly gzip = false,
  ) {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    this.names = new Set(files.map(({ parentPath, name }) => relative(folder, join(parentPath, name))));
  }

  /** Returns a file as it is stored; undefined if there is no file of this name. */
  answer(name: string): Answer | undefined {
    if (!this.names.has(name)) return undefined;
    const headers = { 'content-type': TYPES[extname(name)] ?? 'application/octet-stream' };
    const body = readFileSync(join(this.folder, name));
    return { status: 200, headers: this.gzip ? { ...headers, 'content-encoding': 'gzip' } : headers, body };
  }

  /** Returns the text of a file, decompressed. */
  text(name: string): string {
    const content = readFileSync(join(this.folder, name));
    return (this.gzip ? gunzipSync(content) : content).toString('utf8');
  }
}
