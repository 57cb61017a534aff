/** A file of a zip archive that has been written. */
export interface ZipEntry {
  /** ASCII. */
  readonly name: string;
  readonly crc: number;
  readonly compressedSize: number;
  readonly size: number;
  /** Offset of its local header. */
  readonly offset: number;
}

const LOCAL_HEADER = 0x04034b50;
const DESCRIPTOR = 0x08074b50;
const CENTRAL_HEADER = 0x02014b50;
const END = 0x06054b50;
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;

const DEFLATED = 8;
/** Flag: sizes and checksum follow the data. */
const DESCRIPTOR_FOLLOWS = 1 << 3;
/** 1 January 1980, 00:00, the earliest possible date: equal exports give identical files. */
const DATE = 0x0021;
const VERSION = 20;
const VERSION_64 = 45;
/** Indicates that the actual value is in the 64-bit record. */
const IN_64 = 0xffffffff;
const COUNT_IN_64 = 0xffff;

/** Little-endian fields, in order: [bytes, value]. */
type Field = readonly [size: 2 | 4 | 8, value: number];

function record(fields: readonly Field[], name = ''): Buffer {
  const bytes = Buffer.alloc(fields.reduce((sum, [size]) => sum + size, 0));
  let at = 0;
  for (const [size, value] of fields) {
    if (size === 8) bytes.writeBigUInt64LE(BigInt(value), at);
    else bytes.writeUIntLE(value, at, size);
    at += size;
  }
  return name === '' ? bytes : Buffer.concat([bytes, Buffer.from(name, 'latin1')]);
}

/** Returns the header before the data of a file (APPNOTE 4.3.7). */
export function localHeader(name: string): Buffer {
  const fields: readonly Field[] = [[4, LOCAL_HEADER], [2, VERSION], ...common({ crc: 0, compressedSize: 0, size: 0, name })]; // prettier-ignore
  return record([...fields, [2, 0]], name);
}

/** Returns the common fields of headers, from the flags to the length of the name. */
function common({ crc, compressedSize, size, name }: Omit<ZipEntry, 'offset'>): readonly Field[] {
  return [[2, DESCRIPTOR_FOLLOWS], [2, DEFLATED], [2, 0], [2, DATE], [4, crc], [4, compressedSize], [4, size], [2, name.length]]; // prettier-ignore
}

/** Returns the descriptor after the data of a file (APPNOTE 4.3.9); sizes have 64 bits only if needed. */
export function descriptor({ crc, compressedSize, size }: ZipEntry): Buffer {
  const width = compressedSize >= IN_64 || size >= IN_64 ? 8 : 4;
  return record([[4, DESCRIPTOR], [4, crc], [width, compressedSize], [width, size]]); // prettier-ignore
}

/** Returns the directory at the end of an archive (APPNOTE 4.3.12 to 4.3.16), in its 64-bit form if a number needs it. */
export function directory(entries: readonly ZipEntry[], offset: number): Buffer {
  const headers = Buffer.concat(entries.map(centralHeader));
  const size = headers.length;
  const needs64 = entries.length >= COUNT_IN_64 || offset >= IN_64 || size >= IN_64;
  const count = needs64 ? COUNT_IN_64 : entries.length;
  const end = record([[4, END], [2, 0], [2, 0], [2, count], [2, count], [4, needs64 ? IN_64 : size], [4, needs64 ? IN_64 : offset], [2, 0]]); // prettier-ignore
  return Buffer.concat(needs64 ? [headers, end64(entries.length, size, offset), end] : [headers, end]);
}

function centralHeader(entry: ZipEntry): Buffer {
  const large = [entry.size, entry.compressedSize, entry.offset].filter((value) => value >= IN_64);
  const extra: readonly Field[] = large.length === 0 ? [] : [[2, 1], [2, large.length * 8], ...large.map((value): Field => [8, value])]; // prettier-ignore
  const version = large.length === 0 ? VERSION : VERSION_64;
  const small = { ...entry, compressedSize: Math.min(entry.compressedSize, IN_64), size: Math.min(entry.size, IN_64) };
  const fields: readonly Field[] = [[4, CENTRAL_HEADER], [2, version], [2, version], ...common(small)]; // prettier-ignore
  const rest: readonly Field[] = [[2, large.length === 0 ? 0 : large.length * 8 + 4], [2, 0], [2, 0], [2, 0], [4, 0], [4, Math.min(entry.offset, IN_64)]]; // prettier-ignore
  return Buffer.concat([record([...fields, ...rest], entry.name), record(extra)]);
}

function end64(count: number, size: number, offset: number): Buffer {
  return Buffer.concat([
    record([[4, END_64], [8, 44], [2, VERSION_64], [2, VERSION_64], [4, 0], [4, 0], [8, count], [8, count], [8, size], [8, offset]]), // prettier-ignore
    record([[4, LOCATOR_64], [4, 0], [8, offset + size], [4, 1]]), // prettier-ignore
  ]);
}
