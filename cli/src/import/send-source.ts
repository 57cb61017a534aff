import { Failure } from '../failure.js';
import { readLines, type Line } from './lines.js';
import { binaryFormatOf } from './binary-format.js';
import { routeLine } from './routes.js';
import type { ImportSession } from './session.js';
import type { Source } from './sources.js';

/** How much of a source has been read. */
export interface Reading {
  readonly bytes: number;
  readonly lines: number;
}

/** Reads a source to its end and sends each line to the service that owns it, at the speed at which the services accept them. */
export async function sendSource(session: ImportSession, source: Source, onRead: (reading: Reading) => void): Promise<void> {
  let bytes = 0;
  let lines = 0;
  for await (const batch of readLines(counted(source, (size) => (bytes += size)))) {
    for (const line of batch) {
      lines += 1;
      const full = sendLine(session, source.name, line);
      if (full !== undefined) await full;
    }
    onRead({ bytes, lines });
  }
}

/**
 * Reads a source and counts its bytes.
 * @throws Failure if it cannot be read to its end, or is a binary file
 */
export async function* counted(source: Source, onBytes: (size: number) => void): AsyncGenerator<Uint8Array> {
  let isBegun = false;
  try {
    for await (const chunk of source.open()) {
      const what = isBegun ? undefined : binaryFormatOf(chunk);
      if (what !== undefined) throw new Failure(`${source.name} is ${what}. What was accepted before is kept.`, 1);
      isBegun = true;
      onBytes(chunk.byteLength);
      yield chunk;
    }
  } catch (caught) {
    if (caught instanceof Failure) throw caught;
    throw new Failure(
      `${source.name} could not be read to its end: ${caught instanceof Error ? caught.message : String(caught)}`,
      1,
      caught,
    );
  }
}

function sendLine(session: ImportSession, file: string, line: Line): Promise<void> | undefined {
  if ('unreadable' in line) {
    session.reject({ file, line: line.number, kind: null, id: null, reason: line.unreadable });
    return undefined;
  }
  const routed = routeLine(line.text);
  if ('to' in routed) return session.send(routed.to, { file, line: line.number, json: line.text });
  if ('reason' in routed) session.reject({ file, line: line.number, ...routed });
  return undefined;
}
