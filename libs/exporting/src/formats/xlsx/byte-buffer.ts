/** Slightly more than is compressed at once, so that the last row of a chunk usually fits. */
const CAPACITY = 80 * 1024;
/** Maximum number of UTF-8 bytes per UTF-16 code unit. */
const MAX_BYTES_PER_UNIT = 3;

/**
 * A growing buffer to which bytes and texts are appended. Concatenating strings of so many small pieces would produce garbage of several
 * times their length, and collecting it would take a large part of the time.
 */
export class ByteBuffer {
  #bytes = Buffer.allocUnsafeSlow(CAPACITY);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The collected bytes; only valid until the next change. */
  get view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Appends a few bytes; for these, a loop is faster than a call into the runtime. */
  bytes(bytes: Uint8Array): this {
    this.#reserve(bytes.length);
    const target = this.#bytes;
    let at = this.#length;
    for (let index = 0; index < bytes.length; index += 1) target[at++] = bytes[index] ?? 0;
    this.#length = at;
    return this;
  }

  /** Appends a text as UTF-8; a lone surrogate becomes U+FFFD. */
  text(text: string): this {
    this.#reserve(text.length * MAX_BYTES_PER_UNIT);
    const target = this.#bytes;
    const start = this.#length;
    for (let index = 0; index < text.length; index += 1) {
      const unit = text.charCodeAt(index);
      if (unit > 0x7f) {
        this.#length = start + target.write(text, start);
        return this;
      }
      target[start + index] = unit;
    }
    this.#length = start + text.length;
    return this;
  }

  clear(): void {
    this.#length = 0;
  }

  #reserve(size: number): void {
    const needed = this.#length + size;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(needed * 2);
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

/** More buffers are only needed if one employee has very many rows. */
const MAX_FREE = 32;

/** A pool of reusable buffers. */
export class BufferPool {
  readonly #free: ByteBuffer[] = [];

  take(): ByteBuffer {
    return this.#free.pop() ?? new ByteBuffer();
  }

  give(buffer: ByteBuffer): void {
    buffer.clear();
    if (this.#free.length < MAX_FREE) this.#free.push(buffer);
  }
}
