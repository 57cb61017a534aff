import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { runCommandLine, UsageError, wholeNumber } from './command-line.js';

const written = { stdout: '', stderr: '' };
beforeEach(() => {
  Object.assign(written, { stdout: '', stderr: '' });
  for (const name of ['stdout', 'stderr'] as const) {
    jest.spyOn(process[name], 'write').mockImplementation((text) => {
      written[name] += String(text);
      return true;
    });
  }
});
afterEach(() => {
  jest.restoreAllMocks();
  process.exitCode = 0;
});

const usage = 'npm run tool -- [words] [--rounds N]';
const options = { rounds: { type: 'string', default: '5' } } as const;

/** Runs a program that returns the number of its rounds and words, and returns its exit code. */
async function exitCodeOf(args: readonly string[], words = true): Promise<unknown> {
  await runCommandLine({ usage, options, words }, ({ rounds }, some) => wholeNumber('rounds', rounds) + some.length, args);
  return process.exitCode;
}

describe('a program for developers', () => {
  it.each([
    [[], 5],
    [['--rounds', '7'], 7],
    [['one', '--rounds=1', 'two'], 3],
  ])('%j returns %d', async (args, code) => {
    expect(await exitCodeOf(args)).toBe(code);
    expect(written).toEqual({ stdout: '', stderr: '' });
  });

  it('prints its usage', async () => {
    expect(await exitCodeOf(['one', '--help'])).toBe(0);
    expect(written).toEqual({ stdout: `${usage}\n`, stderr: '' });
  });

  it.each([
    [['--round', '7'], true, /^Unknown option '--round'/],
    [['--rounds'], true, /^Option '--rounds <value>' argument missing/],
    [['one'], false, /^Unexpected argument 'one'/],
    [['--rounds', '0'], true, /^--rounds must be a whole number from 1, not "0"\./],
    [['--rounds', '1.5'], true, /^--rounds must be/],
    [['--rounds', ''], true, /^--rounds must be/],
  ])('explains %j (words: %j) and prints its usage', async (args, words, message) => {
    expect(await exitCodeOf(args, words)).toBe(2);
    expect(written.stderr).toMatch(message);
    expect(written.stderr).toContain(`\n\n${usage}\n`);
  });

  it('fails with what is no error of usage', async () => {
    const main = () => Promise.reject(new Error('no disk'));
    await expect(runCommandLine({ usage, options, words: true }, main, [])).rejects.toThrow('no disk');
  });

  it('may find errors of usage by itself', async () => {
    const main = () => Promise.reject(new UsageError('There is no case x.'));
    await runCommandLine({ usage, options, words: true }, main, []);
    expect(process.exitCode).toBe(2);
    expect(written.stderr).toBe(`There is no case x.\n\n${usage}\n`);
  });
});
