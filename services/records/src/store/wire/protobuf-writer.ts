import { int32At } from './bson-elements.js';

const INITIAL_BYTES = 512 * 1024;
const SHORT_TEXT = 48;
/** Space for the tags and lengths of nested messages. */
const MAX_END = 64;

/**
 * Writes a protobuf message from its end to its start, so that the length of a nested message is known when it has to be written. Fields
 * are written in reverse order, and each value before its tag.
 */
export class ProtobufWriter {
  private bytes = Buffer.allocUnsafe(INITIAL_BYTES);
  private start = INITIAL_BYTES;

  /** The number of bytes written so far. Take it before writing a nested message, and pass it to `close` afterwards. */
  get length(): number {
    return this.bytes.length - this.start;
  }

  /** Ensures space for this number of bytes and for the tags and lengths of their nested messages. */
  reserve(bytes: number): void {
    const size = bytes + MAX_END;
    if (this.start >= size) return;
    const { length } = this;
    const larger = Buffer.allocUnsafe(2 * (length + size));
    this.bytes.copy(larger, larger.length - length, this.start);
    this.bytes = larger;
    this.start = larger.length - length;
  }

  /** Writes a field of type int32, int64 or an enum. */
  integer(field: number, value: number): void {
    if (value < 0) this.negative(value);
    else this.varint(value);
    this.varint(field << 3);
  }

  /** Writes a string field from a BSON string. */
  text(field: number, source: Uint8Array, at: number): void {
    const size = int32At(source, at) - 1;
    const from = at + 4;
    const to = this.start - size;
    // For short texts, a loop is faster than a call of `set`.
    if (size > SHORT_TEXT) this.bytes.set(source.subarray(from, from + size), to);
    else for (let index = 0; index < size; index += 1) this.bytes[to + index] = source[from + index] ?? 0;
    this.start = to;
    this.close(field, this.length - size);
  }

  /** Writes content that is already encoded. */
  raw(content: Uint8Array): void {
    this.reserve(content.length);
    this.start -= content.length;
    this.bytes.set(content, this.start);
  }

  /** Completes a length-delimited field: writes length and tag in front of everything written since the writer had this length. */
  close(field: number, lengthBefore: number): void {
    this.varint(this.length - lengthBefore);
    this.varint((field << 3) | 2);
  }

  /** Returns a copy of the written bytes and resets the writer. */
  finish(): Buffer {
    const message = Buffer.from(this.bytes.subarray(this.start));
    this.start = this.bytes.length;
    return message;
  }

  private varint(value: number): void {
    if (value < 128) {
      this.start -= 1;
      this.bytes[this.start] = value;
      return;
    }
    let at = this.start - varintSize(value);
    this.start = at;
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.bytes[at++] = (rest % 128) | 128;
    this.bytes[at] = rest;
  }

  /** Writes a negative value as a 64-bit two's complement, which always takes ten bytes. */
  private negative(value: number): void {
    let rest = BigInt.asUintN(64, BigInt(value));
    let at = this.start - 10;
    this.start = at;
    for (; rest >= 128n; rest >>= 7n) this.bytes[at++] = Number(rest & 127n) | 128;
    this.bytes[at] = Number(rest);
  }
}

function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) size += 1;
  return size;
}
