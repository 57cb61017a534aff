import { expect, it } from '@jest/globals';
import type { Command } from 'commander';
import { createProgram } from './program.js';

const leavesOf = (command: Command): Command[] => (command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf));

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => void (text += part) }).outputHelp();
  return text;
}

it('every command shows examples of itself', () => {
  const leaves = leavesOf(createProgram());
  expect(leaves.length).toBeGreaterThan(25);
  const pathOf = (command: Command): string => (command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`);
  expect(leaves.filter((leaf) => !helpOf(leaf).includes(`Examples:\n  $ ${pathOf(leaf)}`)).map(pathOf)).toEqual([]);
});
