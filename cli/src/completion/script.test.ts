import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { exporterNames } from '@stechuhr/exporting';
import { createProgram } from '../program.js';
import { completionScript } from './script.js';

const script = completionScript(createProgram(), 'bash');

/** What bash offers for the last word of a command line. */
function offers(...words: string[]): string[] {
  const line = ['stechuhr', ...words].map((word) => `'${word}'`).join(' ');
  const ask = `${script}\nCOMP_WORDS=(${line}); COMP_CWORD=${String(words.length)}; _stechuhr; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', ask], { encoding: 'utf8' })
    .split('\n')
    .filter((word) => word !== '');
}

describe('completion', () => {
  it.each([
    [['im'], ['import']],
    [
      ['dead-letters', ''],
      ['list', 'show', 'retry', 'delete', '--help', '--version', '--json'],
    ],
    [['dead-letters', 'list', '--o'], ['--origin']],
    [['--json', 'events', 'tail', '--s'], ['--since']],
    [['export', 'generic', '--as'], ['--async']],
    [['tokens', 'issue', '--account', 'x', '--na'], ['--name']],
    [
      ['export', 'pay'],
      ['payroll_a', 'payroll_b'],
    ],
    [['completion', 'z'], ['zsh']],
    [['completion', 'nonsense', 'x'], []],
  ])('bash offers after %j', (words, expected) => {
    expect(offers(...words)).toEqual(expected);
  });

  it('bash offers the accounts that there are, where one is asked for', () => {
    const accounts = 'stechuhr() { [ "$*" = "accounts list --ids" ] && printf "0df3114d\\n0aa\\n7b\\n"; };';
    const ask = `${script}\n${accounts} COMP_WORDS=(stechuhr tokens issue --account 0); COMP_CWORD=4; _stechuhr; echo "\${COMPREPLY[@]}"`;
    expect(execFileSync('bash', ['-c', ask], { encoding: 'utf8' })).toBe('0df3114d 0aa\n');
  });

  it('zsh goes by the script of bash', () => {
    expect(completionScript(createProgram(), 'zsh')).toBe(`autoload -U +X bashcompinit && bashcompinit\n${script}`);
  });

  it('knows every exporter', () => {
    const lines = completionScript(createProgram(), 'fish').split('\n');
    const offered = lines.flatMap((line) => /seen_subcommand_from export' -a (\w+)$/.exec(line)?.[1] ?? []);
    expect(offered).toEqual(exporterNames);
  });

  it('fish knows commands with their descriptions, and the options of each', () => {
    const lines = completionScript(createProgram(), 'fish').split('\n');
    expect(lines).toContain(
      "complete -c stechuhr -f -n '__fish_use_subcommand' -a doctor -d 'check every dependency and every store, and give advice'",
    );
    expect(lines).toContain(
      "complete -c stechuhr -n '__fish_seen_subcommand_from dead-letters; and __fish_seen_subcommand_from list' -l origin -d 'only letters of this origin'",
    );
  });
});
