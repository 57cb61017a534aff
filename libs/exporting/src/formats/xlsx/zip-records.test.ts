import { describe, expect, it } from '@jest/globals';
import { descriptor, directory } from './zip-records.js';

const GIB = 1024 ** 3;
const small = { name: 'a.xml', crc: 0xdeadbeef, compressedSize: 3, size: 5, offset: 0 };

describe('an archive beyond 4 GiB (APPNOTE 4.5.3)', () => {
  const large = { ...small, name: 'b.xml', compressedSize: GIB, size: 5 * GIB, offset: 6 * GIB };
  const bytes = directory([small, large], 7 * GIB);

  it('stores values that do not fit into 32 bits in an extra field, in the order of the fields', () => {
    const [first, second] = [0, 46 + 5];
    expect([bytes.readUInt32LE(first + 20), bytes.readUInt32LE(first + 24), bytes.readUInt16LE(first + 30)]).toEqual([3, 5, 0]);
    expect([bytes.readUInt32LE(second + 20), bytes.readUInt32LE(second + 24)]).toEqual([GIB, 0xffffffff]);
    expect([bytes.readUInt16LE(second + 30), bytes.readUInt32LE(second + 42)]).toEqual([20, 0xffffffff]);
    const extra = second + 46 + 5;
    expect([bytes.readUInt16LE(extra), bytes.readUInt16LE(extra + 2)]).toEqual([1, 16]);
    expect([bytes.readBigUInt64LE(extra + 4), bytes.readBigUInt64LE(extra + 12)]).toEqual([BigInt(5 * GIB), BigInt(6 * GIB)]);
  });

  it('has a 64-bit directory, found through its locator', () => {
    const end = bytes.length - 22;
    expect([bytes.readUInt16LE(end + 10), bytes.readUInt32LE(end + 12), bytes.readUInt32LE(end + 16)]).toEqual([0xffff, 0xffffffff, 0xffffffff]); // prettier-ignore
    const locator = end - 20;
    expect(bytes.readUInt32LE(locator)).toBe(0x07064b50);
    const end64 = Number(bytes.readBigUInt64LE(locator + 8)) - 7 * GIB;
    expect(bytes.readUInt32LE(end64)).toBe(0x06064b50);
    expect([bytes.readBigUInt64LE(end64 + 4), end64 + 12 + 44]).toEqual([44n, locator]);
    expect([24, 32, 40, 48].map((at) => Number(bytes.readBigUInt64LE(end64 + at)))).toEqual([2, 2, end64, 7 * GIB]);
  });

  it('has 64-bit descriptors only if needed', () => {
    expect([descriptor(small).length, descriptor(large).length]).toEqual([16, 24]);
    expect(descriptor(large).readBigUInt64LE(16)).toBe(BigInt(5 * GIB));
  });
});
