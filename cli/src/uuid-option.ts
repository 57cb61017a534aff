import { parseUuid } from '@stechuhr/kernel';
import { Failure } from './failure.js';

/**
 * Validates the id given for an option before connecting to anything.
 * @throws Failure (wrong usage)
 */
export function uuidOption(option: string, text: string): string {
  const id = parseUuid(text);
  if (id === undefined) throw new Failure(`${option}: Must be a valid UUID.`, 2);
  return id;
}
