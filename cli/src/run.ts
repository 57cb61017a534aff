import { CommanderError } from 'commander';
import { Failure } from './failure.js';
import { endWithStdout, paintProblem } from './output.js';
import { printableLines } from './printable.js';
import { createProgram } from './program.js';

/** Runs the command in the arguments of the process, and sets its exit code. */
export async function run(): Promise<void> {
  endWithStdout();
  try {
    await createProgram().parseAsync();
  } catch (caught) {
    process.exitCode = report(caught);
  }
}

/** Commander has printed its own errors already. */
function report(caught: unknown): number {
  if (caught instanceof CommanderError) return caught.exitCode === 0 ? 0 : 2;
  const failure = Failure.fromPlatform(caught);
  process.stderr.write(`${paintProblem('red', printableLines(failure.message))}\n`);
  return failure.exitCode;
}
