import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import type { Command } from 'commander';
import { createProgram } from './program.js';

/** Options of other programs that messages mention. */
const FOREIGN = ['--import', '--global'];

it('names no option that there is not', () => {
  const known = new Set([...optionsOf(createProgram()), '--help', ...FOREIGN]);
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter((name) => /(?<!\.test)\.ts$/.test(name));
  const named = [...files.map((name) => join(import.meta.dirname, name)), join(import.meta.dirname, '../README.md')].flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?<![\w-])--[a-z][a-z-]*/g)].map(([option]) => option),
  );
  expect(named.length).toBeGreaterThan(50);
  expect([...new Set(named)].filter((option) => !known.has(option))).toEqual([]);
});

function optionsOf({ options, commands }: Command): readonly string[] {
  return [...options.flatMap(({ long }) => long ?? []), ...commands.flatMap(optionsOf)];
}
