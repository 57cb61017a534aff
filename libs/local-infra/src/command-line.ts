import { parseArgs, type ParseArgsConfig } from 'node:util';

type Options = NonNullable<ParseArgsConfig['options']>;

/** What is wrong with the arguments of a program. It is shown without a stack trace. */
export class UsageError extends Error {}

/** How a program for developers is called. */
export interface CommandLine<O extends Options> {
  /** Printed by `--help`, and after an error. */
  readonly usage: string;
  readonly options: O;
  /** Whether it takes words besides options. */
  readonly words: boolean;
}

/** The values of options, with their defaults. */
export type OptionValues<O extends Options> = ReturnType<typeof parseArgs<{ options: O }>>['values'];

/**
 * Runs a program with the arguments of this process and sets the exit code: the one that `main` returns, or 2 for wrong arguments, which are
 * explained together with the usage.
 */
export async function runCommandLine<const O extends Options>(
  { usage, options, words }: CommandLine<O>,
  main: (values: OptionValues<O>, words: readonly string[]) => Promise<number> | number,
  args: readonly string[] = process.argv.slice(2),
): Promise<void> {
  if (args.includes('--help')) {
    process.stdout.write(`${usage}\n`);
    return;
  }
  try {
    const { values, positionals } = parsed({ args: [...args], options, allowPositionals: words });
    process.exitCode = await main(values, positionals);
  } catch (caught) {
    if (!(caught instanceof UsageError)) throw caught;
    process.stderr.write(`${caught.message}\n\n${usage}\n`);
    process.exitCode = 2;
  }
}

function parsed<C extends ParseArgsConfig>(config: C): ReturnType<typeof parseArgs<C>> {
  try {
    return parseArgs(config);
  } catch (cause) {
    throw new UsageError((cause as Error).message, { cause });
  }
}

/** Returns the value of an option. @throws UsageError if it is not a whole number from 1 */
export function wholeNumber(option: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`--${option} must be a whole number from 1, not "${text}".`);
  return Number(text);
}
