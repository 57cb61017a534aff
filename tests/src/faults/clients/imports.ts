import { toNdjson } from '@stechuhr/testing';
import type { Client } from './client-tools.js';

const LINES = 20;

/** Imports employees with the command line, and repeats failed imports like an operator. */
export const imports: Client = {
  name: 'imports',
  // A long pause, because starting the command takes more CPU time than the import.
  restMs: 1_500,
  start({ stage, firm, slot, history }) {
    let numbers: readonly number[] = [];
    return async () => {
      if (numbers.length === 0) numbers = Array.from({ length: LINES }, () => slot.next());
      const lines = numbers.map((number) => firm.employee(number, `${slot.word}Import`));
      const { exitCode } = await stage.cli(['import', '--json', '-'], [toNdjson(lines)]);
      const outcome = exitCode === 0 ? 'acknowledged' : 'unknown';
      for (const { id } of lines) history.write({ kind: 'employee', key: id, value: `${slot.word}Import`, outcome, id });
      if (outcome === 'acknowledged') numbers = [];
      return outcome === 'acknowledged';
    };
  },
};
