import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { Failure } from './failure.js';
import type { Output } from './output.js';

/** The token options of commands that act as an account, as typed by the user. */
export interface TokenOptions {
  readonly token?: string;
  readonly tokenFile?: string;
}

const STANDARD_INPUT = 0;

/** Adds the options for a token to a command. */
export function addTokenOptions(command: Command): Command {
  return command
    .option('--token-file <file|->', 'act with the token in this file; otherwise STECHUHR_TOKEN, otherwise the demo token of run.json')
    .option('--token <token>', 'the token itself; others see it in the list of processes, so prefer --token-file or STECHUHR_TOKEN');
}

/**
 * The given token, if any.
 * @throws Failure for a file without a token
 */
export function givenToken({ token, tokenFile }: TokenOptions, output: Output): string | undefined {
  if (token !== undefined && tokenFile !== undefined) throw new Failure('Give either --token or --token-file.', 2);
  if (tokenFile !== undefined) return tokenIn(tokenFile);
  if (token !== undefined)
    output.note(
      'Others can read --token in the list of processes, and the shell keeps it in its history: prefer --token-file or STECHUHR_TOKEN.',
    );
  return token;
}

function tokenIn(file: string): string {
  const token = read(file).trim();
  if (token === '' || /\s/u.test(token)) throw new Failure(`--token-file: ${file} must contain one token and nothing else.`, 2);
  return token;
}

function read(file: string): string {
  try {
    return readFileSync(file === '-' ? STANDARD_INPUT : file, 'utf8');
  } catch (caught) {
    throw new Failure(`--token-file: ${file} cannot be read.`, 2, caught);
  }
}
