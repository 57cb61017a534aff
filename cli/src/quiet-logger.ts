import type { Logger } from '@stechuhr/kernel';

/** Discards logs: connection changes are irrelevant to a command, and errors that stop it are thrown. */
export const quietLogger: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };

function ignore(): void {
  // Discards everything.
}
