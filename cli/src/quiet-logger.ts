import type { Logger } from '@stechuhr/kernel';

/** Connections that come and go are no news for somebody at a terminal; what stops a command is thrown. */
export const quietLogger: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };

function ignore(): void {
  // Nothing to say.
}
