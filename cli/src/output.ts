import { once } from 'node:events';
import { styleText } from 'node:util';
import { printable, printableLines } from './printable.js';

/** The output of a command: its result goes to stdout, everything else to stderr. */
export interface Output {
  /** Whether `--json` was asked for. */
  readonly isJson: boolean;
  /**
   * Prints the result: one JSON value with `--json`, otherwise the text.
   * @param exitCode the exit code of the command, even if the reader of the pipe stops early
   * @returns the exit code
   */
  result(value: unknown, text: () => string, exitCode?: number): number;
  /** As `result`, for a value too large for a single string; its JSON comes in parts. */
  largeResult(json: () => Iterable<string>, text: () => string, exitCode: number): Promise<number>;
  /** Prints something that is not part of the result. */
  note(text: string): void;
  /** Colours part of the result's text. */
  readonly paint: Paint;
}

/** Colours text on a terminal, or if FORCE_COLOR is set, unless NO_COLOR forbids it. */
export type Paint = (colour: 'red' | 'yellow' | 'green' | 'gray', text: string) => string;

/** For stderr, where problems are printed. */
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

/** Combines small parts, so that there are fewer writes. */
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

/** Writes a chunk and waits if the reader is slower. */
export async function writeSlowly(stream: NodeJS.WritableStream, chunk: string): Promise<void> {
  if (!stream.write(chunk)) await once(stream, 'drain');
}

/**
 * Ends the command when its result cannot be written.
 *
 * A pipe whose reader has seen enough (`… | head`) is not a failure, and it does not hide one either: the exit code is that of the result. A closed
 * stderr is not a failure either and must not stop an import.
 */
export function endWithStdout(): void {
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    process.stderr.write(`${paintProblem('red', `The result could not be written: ${error.message}`)}\n`);
    process.exit(1);
  });
}
