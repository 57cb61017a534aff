import { once } from 'node:events';
import { crc32, createDeflateRaw, type DeflateRaw } from 'node:zlib';
import { descriptor, directory, localHeader, type ZipEntry } from './zip-records.js';

/** Higher levels take two to three times as long and make files a fifth smaller (ADR 21). */
const LEVEL = 1;

interface OpenFile {
  readonly name: string;
  readonly offset: number;
  readonly deflate: DeflateRaw;
  crc: number;
  size: number;
  compressedSize: number;
}

/**
 * Writes a zip archive sequentially, one file after the other. Data is compressed in another thread while the caller prepares the next
 * chunk; finished bytes are buffered until they are taken.
 */
export class ZipWriter {
  readonly #entries: ZipEntry[] = [];
  #file: OpenFile | undefined;
  /** Settles when the last chunk has been deflated. */
  #deflating: Promise<void> = Promise.resolve();
  #ready: Uint8Array[] = [];
  #readySize = 0;
  #offset = 0;

  /** Begins a file. */
  open(name: string): void {
    const deflate = createDeflateRaw({ level: LEVEL });
    const file: OpenFile = { name, offset: this.#offset, deflate, crc: 0, size: 0, compressedSize: 0 };
    deflate.on('data', (bytes: Uint8Array) => {
      file.compressedSize += bytes.length;
      this.#push(bytes);
    });
    this.#push(localHeader(name));
    this.#file = file;
  }

  /**
   * Writes a chunk of the open file. The chunk must not change until it has been compressed. Waits until the previous chunk has been
   * compressed.
   */
  async write(bytes: Uint8Array): Promise<void> {
    const file = this.#openFile();
    file.crc = crc32(bytes, file.crc);
    file.size += bytes.length;
    await this.#deflating;
    this.#deflating = new Promise((resolve, reject) => {
      file.deflate.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
    // An error is thrown by the next write; it must not become an unhandled rejection if there is none.
    this.#deflating.catch(() => undefined);
  }

  /** Ends the open file. */
  async close(): Promise<void> {
    const file = this.#openFile();
    await this.#deflating;
    const ended = once(file.deflate, 'end');
    file.deflate.end();
    await ended;
    const { deflate: _, ...entry } = file;
    this.#push(descriptor(entry));
    this.#entries.push(entry);
    this.#file = undefined;
  }

  /** Ends the archive. */
  end(): void {
    this.#push(directory(this.#entries, this.#offset));
  }

  /** The number of finished bytes that have not been taken. */
  get waiting(): number {
    return this.#readySize;
  }

  /** Returns the finished bytes, which the caller then owns. */
  take(): Uint8Array {
    const bytes = Buffer.concat(this.#ready, this.#readySize);
    this.#ready = [];
    this.#readySize = 0;
    return bytes;
  }

  /** Aborts the open file, if any. */
  destroy(): void {
    this.#file?.deflate.destroy();
  }

  #openFile(): OpenFile {
    if (this.#file === undefined) throw new Error('No file of the archive is open.');
    return this.#file;
  }

  #push(bytes: Uint8Array): void {
    this.#ready.push(bytes);
    this.#readySize += bytes.length;
    this.#offset += bytes.length;
  }
}
