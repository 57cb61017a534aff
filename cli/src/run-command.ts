import type { Command } from 'commander';
import { createOutput, type Output } from './output.js';

/** Runs the action of a command inside a trace; its return value becomes the exit code. */
export async function runCommand(command: Command, run: (output: Output) => Promise<number>): Promise<void> {
  const { json = false } = command.optsWithGlobals<{ json?: boolean }>();
  const { traced } = await import('./telemetry.js');
  process.exitCode = await traced(command.name(), () => run(createOutput(json)));
}
