import { unlink, open, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError, newId } from '@stechuhr/kernel';
import type { ImportLine } from './import-events.js';

/** Lines that wait for the end of their import, outside of memory. */
export interface SetAside {
  add(kind: string, line: ImportLine): Promise<void>;
  /** In the order in which they were added; nothing is added afterwards. */
  lines(kind: string): AsyncIterable<ImportLine>;
  close(): Promise<void>;
}

const BUFFERED_CHARACTERS = 65_536;

/** Keeps lines in temporary files, one for each kind. */
export function openSetAside(): SetAside {
  const files = new Map<string, WaitingFile>();
  return {
    async add(kind, line) {
      const file = files.get(kind) ?? (await WaitingFile.create());
      files.set(kind, file);
      await file.add(line);
    },
    async *lines(kind) {
      yield* files.get(kind)?.lines() ?? [];
    },
    async close() {
      await Promise.all([...files.values()].map((file) => file.close()));
    },
  };
}

class WaitingFile {
  private buffer = '';

  private constructor(private readonly handle: FileHandle) {}

  /** The file is unlinked when it is opened, so it disappears with the process, however that ends. */
  static async create(): Promise<WaitingFile> {
    const path = join(tmpdir(), `stechuhr-import-${newId()}`);
    const handle = await open(path, 'wx+', 0o600).catch(throwAsUnavailable);
    await unlink(path);
    return new WaitingFile(handle);
  }

  async add({ file, line, json }: ImportLine): Promise<void> {
    this.buffer += `${JSON.stringify([file, line, json])}\n`;
    if (this.buffer.length >= BUFFERED_CHARACTERS) await this.flush();
  }

  async *lines(): AsyncGenerator<ImportLine> {
    await this.flush();
    const stream = this.handle.createReadStream({ start: 0, autoClose: false, encoding: 'utf8' });
    for await (const text of splitLines(stream)) {
      const [file, line, json] = JSON.parse(text) as [string, number, string];
      yield { file, line, json };
    }
  }

  async close(): Promise<void> {
    await this.handle.close();
  }

  private async flush(): Promise<void> {
    const text = this.buffer;
    this.buffer = '';
    await this.handle.appendFile(text).catch(throwAsUnavailable);
  }
}

/** A disk that is full or read-only is none of the caller's doing: the same import succeeds once it is mended. */
function throwAsUnavailable(cause: unknown): never {
  throw new AppError('unavailable', 'The folder of temporary files cannot be written to.', { cause });
}

/** Not readline: it also ends lines at U+2028, which JSON leaves as it is. */
async function* splitLines(stream: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of stream) {
    const pieces = (rest + chunk).split('\n');
    rest = pieces.pop() ?? '';
    yield* pieces;
  }
}
