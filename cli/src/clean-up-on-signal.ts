const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs a cleanup before Ctrl-C, SIGTERM or a closed terminal ends the command; the signal then ends the process as usual.
 * @returns removes the handlers again
 */
export function cleanUpOnSignal(cleanUp: () => void): () => void {
  const end = (): void => {
    for (const signal of SIGNALS) process.off(signal, interrupt);
  };
  const interrupt = (signal: NodeJS.Signals): void => {
    end();
    cleanUp();
    // Without other listeners this ends the process. With other listeners a repeated signal is harmless.
    process.kill(process.pid, signal);
  };
  for (const signal of SIGNALS) process.on(signal, interrupt);
  return end;
}
