import { isUtf8 } from 'node:buffer';

/** A line of a file: its text without the line end, or why it cannot be read. Numbers start at 1 and count every line. */
export type Line = { readonly number: number; readonly text: string } | { readonly number: number; readonly unreadable: string };

/** A longer line is not a record but most likely a file of another format; it is skipped without being kept in memory. */
export const MAX_LINE_BYTES = 4 * 1024 * 1024;

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Splits bytes into lines and yields the lines of each chunk together. Lines end with LF or CRLF; a byte order mark at the start is skipped. */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Line[]> {
  const cutter = new LineCutter();
  for await (const chunk of chunks) yield cutter.cut(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
  yield cutter.finish();
}

class LineCutter {
  #number = 1;
  #parts: Buffer[] = [];
  #bytes = 0;

  cut(chunk: Buffer): readonly Line[] {
    const lines: Line[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.#keep(chunk.subarray(start, end));
      lines.push(this.#line());
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
    return lines;
  }

  /** The last line, if it has no line end. */
  finish(): readonly Line[] {
    return this.#bytes > 0 ? [this.#line()] : [];
  }

  #keep(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes > MAX_LINE_BYTES) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }

  #line(): Line {
    const [only] = this.#parts;
    const bytes = this.#parts.length === 1 && only !== undefined ? only : Buffer.concat(this.#parts);
    const isTooLong = this.#bytes > MAX_LINE_BYTES;
    const number = this.#number++;
    this.#parts = [];
    this.#bytes = 0;
    if (isTooLong) return { number, unreadable: `The line is longer than ${MAX_LINE_BYTES} bytes.` };
    return isUtf8(bytes) ? { number, text: textOf(bytes, number === 1) } : { number, unreadable: 'The line is not UTF-8.' };
  }
}

function textOf(bytes: Buffer, isFirst: boolean): string {
  const start = isFirst && bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? 3 : 0;
  const end = bytes.at(-1) === RETURN ? bytes.length - 1 : bytes.length;
  return bytes.toString('utf8', start, Math.max(start, end));
}
