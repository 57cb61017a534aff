/** The BSON types whose values are read (bsonspec.org). */
export const bsonType = { double: 1, text: 2, date: 9, int32: 16 } as const;

/**
 * Iterates over the elements of a BSON document or array without creating objects: decoding months into objects and encoding these again
 * takes four times as long.
 */
export class BsonElements {
  /** The BSON type of the current element. `name` is its encoded name (see `nameKey`), `value` the offset of its value. */
  type = 0;
  name = 0;
  value = 0;
  private bytes: Uint8Array = new Uint8Array(1);
  private next = 0;

  open(bytes: Uint8Array, documentAt: number): this {
    this.bytes = bytes;
    this.next = documentAt + 4;
    return this;
  }

  /** Moves to the next element. Returns false if there is none. */
  step(): boolean {
    const { bytes } = this;
    const type = byteAt(bytes, this.next);
    if (type === 0) return false;
    const nameAt = this.next + 1;
    let end = nameAt;
    while (byteAt(bytes, end) !== 0) end += 1;
    this.type = type;
    this.name = (end - nameAt) * 256 + byteAt(bytes, nameAt);
    this.value = end + 1;
    this.next = this.value + valueSize(bytes, type, this.value);
    return true;
  }
}

/**
 * Encodes a field name as a number from its length and first letter. This distinguishes all fields of a month (which a test checks) without
 * creating strings.
 */
export function nameKey(name: string): number {
  return name.length * 256 + name.charCodeAt(0);
}

export function int32At(bytes: Uint8Array, at: number): number {
  return byteAt(bytes, at) | (byteAt(bytes, at + 1) << 8) | (byteAt(bytes, at + 2) << 16) | (byteAt(bytes, at + 3) << 24);
}

/** Reads a number, which the driver stores as a double if it does not fit into 32 bits; 0 for other types. */
export function numberAt(bytes: Buffer, type: number, at: number): number {
  if (type === bsonType.int32) return int32At(bytes, at);
  return type === bsonType.double ? bytes.readDoubleLE(at) : 0;
}

/** Reads a date in seconds. BSON stores signed 64-bit milliseconds; actual values fit into a number. */
export function secondsAt(bytes: Uint8Array, at: number): number {
  return ((int32At(bytes, at) >>> 0) + int32At(bytes, at + 4) * 4_294_967_296) / 1000;
}

/** Reads a text that consists of ASCII characters, such as an id. */
export function asciiAt(bytes: Buffer, at: number): string {
  return bytes.toString('latin1', at + 4, at + 3 + int32At(bytes, at));
}

function byteAt(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0;
}

function valueSize(bytes: Uint8Array, type: number, at: number): number {
  switch (type) {
    case 2: // text
      return 4 + int32At(bytes, at);
    case 3: // document
    case 4: // array
      return int32At(bytes, at);
    case 1: // double
    case 9: // date
    case 18: // int64
      return 8;
    case 16: // int32
      return 4;
    case 8: // boolean
      return 1;
    case 10: // null
      return 0;
    default:
      throw new Error(`BSON type ${String(type)} is in no record.`);
  }
}
