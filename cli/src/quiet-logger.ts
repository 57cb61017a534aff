import type { Logger } from '@stechuhr/kernel';

/** Changes of connections do not matter at a terminal; what stops a command is thrown. */
export const quietLogger: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };

function ignore(): void {
  // Nothing to say.
}
