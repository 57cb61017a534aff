import { unlink, open, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError, newId } from '@stechuhr/kernel';
import type { ImportLine } from './import-events.js';

/** Stores lines outside of memory until all lines of their import have been read. */
export interface SetAside {
  add(kind: string, line: ImportLine): Promise<void>;
  /** Returns the lines in the order in which they were added. No lines may be added afterwards. */
  lines(kind: string): AsyncIterable<ImportLine>;
  close(): Promise<void>;
}

const BUFFERED_CHARACTERS = 65_536;

/** Opens a store that keeps lines in temporary files, one for each kind. */
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

  /** Creates the file and unlinks it at once, so that it disappears when the process ends, for whatever reason. */
  static async create(): Promise<WaitingFile> {
    const path = join(tmpdir(), `stechuhr-import-${newId()}`);
    const handle = await open(path, 'wx+', 0o600).catch(throwAsUnavailable);
    await unlink(path);
    return new WaitingFile(handle);
  }

  async add({ file, line, json, ifVersion }: ImportLine): Promise<void> {
    this.buffer += `${JSON.stringify([file, line, json, ifVersion])}\n`;
    if (this.buffer.length >= BUFFERED_CHARACTERS) await this.flush();
  }

  async *lines(): AsyncGenerator<ImportLine> {
    await this.flush();
    const stream = this.handle.createReadStream({ start: 0, autoClose: false, encoding: 'utf8' });
    for await (const text of splitLines(stream)) {
      const [file, line, json, ifVersion] = JSON.parse(text) as [string, number, string, number | null];
      yield { file, line, json, ...(ifVersion !== null && { ifVersion }) };
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

/** A full or read-only disk is not the caller's fault: the same import succeeds once the disk is repaired. */
function throwAsUnavailable(cause: unknown): never {
  throw new AppError('unavailable', 'The folder of temporary files cannot be written to.', { cause });
}

/** Splits a text at line feeds. `readline` is not used because it also splits at U+2028, which JSON does not escape. */
async function* splitLines(stream: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of stream) {
    const pieces = (rest + chunk).split('\n');
    rest = pieces.pop() ?? '';
    yield* pieces;
  }
}
