import { runCommand } from '../process/run-command.js';
import { runProgram, type Program } from './program.js';
import type { Provider } from './provider.js';

/** A program that may be installed on PATH. */
export interface ProgramOnPath {
  readonly command: string;
  readonly versionArgument: string;
  /** Extracts the major and minor version from the program's output. */
  readonly version: RegExp;
  /** The minimum version, as [major, minor]. */
  readonly atLeast: readonly [number, number];
}

/** A program that the user has installed, if it is recent enough. */
export function fromPath<A>(wanted: ProgramOnPath, program: (command: string, description: string) => Program<A>): Provider<A> {
  return {
    id: `path-${wanted.command}`,
    prepare: async () => {
      const printed = await runCommand(wanted.command, [wanted.versionArgument], { timeoutMs: 10_000 });
      const [major, minor] = versionIn(printed, wanted);
      const [wantedMajor, wantedMinor] = wanted.atLeast;
      if (major < wantedMajor || (major === wantedMajor && minor < wantedMinor)) {
        throw new Error(`${wanted.command} on PATH is ${major}.${minor}, older than ${wantedMajor}.${wantedMinor}`);
      }
      return runProgram(program(wanted.command, `${wanted.command} ${major}.${minor} on PATH`));
    },
  };
}

function versionIn(printed: string, wanted: ProgramOnPath): [number, number] {
  const match = wanted.version.exec(printed);
  if (!match) throw new Error(`${wanted.command} on PATH does not report its version`);
  return [Number(match[1]), Number(match[2])];
}
