import { once } from 'node:events';
import { styleText } from 'node:util';
import { printable, printableLines } from './printable.js';

/** Where a command speaks: its result on stdout, everything else on stderr. */
export interface Output {
  /** Whether `--json` was asked for. */
  readonly isJson: boolean;
  /**
   * Prints the result: one JSON value with `--json`, else the text.
   *
   * @param exitCode with which the command ends, also where nobody reads the result to its end
   * @returns the exit code
   */
  result(value: unknown, text: () => string, exitCode?: number): number;
  /** As `result`, of a value that is too large to be one text: its JSON comes in parts. */
  largeResult(json: () => Iterable<string>, text: () => string, exitCode: number): Promise<number>;
  /** Shows something at the terminal that is not part of the result. */
  note(text: string): void;
  /** Colours a part of the result's text. */
  readonly paint: Paint;
}

/** Colours where a terminal reads, or FORCE_COLOR asks for it, and NO_COLOR does not forbid it; otherwise the text as it is. */
export type Paint = (colour: 'red' | 'yellow' | 'green' | 'gray', text: string) => string;

/** For stderr, where problems are. */
export const paintProblem: Paint = (colour, text) => styleText(colour, text, { stream: process.stderr });

const WARNING = /^Warning:/u;

export function createOutput(isJson: boolean): Output {
  return {
    isJson,
    result(value, text, exitCode = 0) {
      process.exitCode = exitCode;
      process.stdout.write(isJson ? `${printable(JSON.stringify(value))}\n` : `${printableLines(text())}\n`);
      return exitCode;
    },
    async largeResult(json, text, exitCode) {
      process.exitCode = exitCode;
      for (const part of isJson ? inBlocks(json()) : [text()])
        await writeSlowly(process.stdout, (isJson ? printable : printableLines)(part));
      process.stdout.write('\n');
      return exitCode;
    },
    note: (text) => void process.stderr.write(`${printableLines(text).replace(WARNING, (word) => paintProblem('yellow', word))}\n`),
    paint: (colour, text) => styleText(colour, text, { stream: process.stdout }),
  };
}

const CHARACTERS_A_BLOCK = 65_536;

/** Small parts together, so that there are fewer writes. */
function* inBlocks(parts: Iterable<string>): Generator<string> {
  let block = '';
  for (const part of parts) {
    block += part;
    if (block.length < CHARACTERS_A_BLOCK) continue;
    yield block;
    block = '';
  }
  yield block;
}

/** Writes a chunk and waits while the reader is slower. */
export async function writeSlowly(stream: NodeJS.WritableStream, chunk: string): Promise<void> {
  if (!stream.write(chunk)) await once(stream, 'drain');
}

/**
 * Ends the command where its result cannot be written. A pipe whose reader has seen enough (`… | head`) is no failure, but hides none either: the
 * exit code is that of the result. Nor is it one that nobody reads stderr any more, which may not stop an import.
 */
export function endWithStdout(): void {
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    process.stderr.write(`${paintProblem('red', `The result could not be written: ${error.message}`)}\n`);
    process.exit(1);
  });
}
