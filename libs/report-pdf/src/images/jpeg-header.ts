/** The information in the segments before the pixels of a JPEG (ITU-T T.81, annex B). */
export interface JpegHeader {
  readonly type: 'jpeg';
  readonly width: number;
  readonly height: number;
  /** 1 for greyscale, 3 for colour, 4 for CMYK. */
  readonly components: number;
  readonly bits: number;
  /** Whether decoding needs the whole picture in memory, because its pixels are stored in several scans. */
  readonly isWhole: boolean;
  /** Whether it is baseline or progressive with Huffman coding, which all PDF readers support. */
  readonly isCommon: boolean;
  /** Exif orientation; 1 is upright. */
  readonly orientation: number;
  /** Whether there are no bytes between its segments. Fill bytes are allowed there, but neither all PDF readers nor pdfkit support them. */
  readonly isDense: boolean;
  /** Offset of the frame. An embedded preview, which has its own end marker, is located before it. */
  readonly frameAt: number;
}

const START_OF_SCAN = 0xda;
const EXIF = 0xe1;
const PROGRESSIVE = 0xc2;
/** The bits of a frame marker that indicate its coding. */
const CODING = 0x03;

/**
 * Reads the header of a JPEG; `undefined` if there is no frame before the pixels.
 *
 * @throws RangeError if the header is truncated
 */
export function readJpegHeader(data: Buffer): JpegHeader | undefined {
  let orientation = 1;
  let isDense = true;
  for (let at = 2; ;) {
    isDense &&= data.readUInt8(at) === 0xff && data.readUInt8(at + 1) !== 0xff && !isBare(data.readUInt8(at + 1));
    while (data.readUInt8(at) !== 0xff) at++;
    while (data.readUInt8(at) === 0xff) at++;
    const marker = data.readUInt8(at);
    if (marker === START_OF_SCAN) return undefined;
    at++;
    if (isBare(marker)) continue;
    if (isFrame(marker)) {
      const frame = readFrame(data, at, marker);
      const isWhole = isProgressive(marker) || componentsOfFirstScan(data, at) < frame.components;
      return { ...frame, isWhole, orientation, isDense, frameAt: at };
    }
    if (marker === EXIF) orientation = readOrientation(data.subarray(at + 2, at + data.readUInt16BE(at))) ?? orientation;
    at += data.readUInt16BE(at);
  }
}

/** Markers without a length: fill, restarts, start and end of image. */
function isBare(marker: number): boolean {
  return marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd9);
}

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function isProgressive(marker: number): boolean {
  return (marker & CODING) === (PROGRESSIVE & CODING);
}

/** Returns the number of components of the first scan after a frame; 0 if the file ends before its pixels. */
function componentsOfFirstScan(data: Buffer, from: number): number {
  for (let at = from; at + 4 <= data.length;) {
    at += data.readUInt16BE(at);
    while (data[at] === 0xff) at += 1;
    if (data[at] === START_OF_SCAN) return data[at + 3] ?? 0;
    at += 1;
  }
  return 0;
}

function readFrame(data: Buffer, at: number, marker: number): Omit<JpegHeader, 'orientation' | 'isWhole' | 'isDense' | 'frameAt'> {
  return {
    type: 'jpeg',
    bits: data.readUInt8(at + 2),
    height: data.readUInt16BE(at + 3),
    width: data.readUInt16BE(at + 5),
    components: data.readUInt8(at + 7),
    isCommon: marker <= PROGRESSIVE,
  };
}

const ORIENTATION_TAG = 0x0112;
/** The size of an entry of a directory. */
const ENTRY_BYTES = 12;

/** Reads the orientation from the first directory of an Exif segment (CIPA DC-008); undefined if it is missing or invalid. */
function readOrientation(segment: Buffer): number | undefined {
  if (segment.toString('latin1', 0, 6) !== 'Exif\0\0' || segment.length < 16) return undefined;
  const tiff = segment.subarray(6);
  const isLittle = tiff.toString('latin1', 0, 2) === 'II';
  const read16 = (at: number): number => (at + 2 > tiff.length ? 0 : isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  const entries = directory + 2;
  // A directory may claim more entries than its segment can contain, and a file may have a hundred thousand such segments.
  const end = Math.min(entries + read16(directory) * ENTRY_BYTES, tiff.length);
  for (let at = entries; at < end; at += ENTRY_BYTES) if (read16(at) === ORIENTATION_TAG) return read16(at + 8);
  return undefined;
}
