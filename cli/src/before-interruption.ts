const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Has something put right before Ctrl-C, SIGTERM or a closed terminal ends the command, as they do otherwise.
 *
 * @returns ends that
 */
export function beforeInterruption(putRight: () => void): () => void {
  const end = (): void => {
    for (const signal of SIGNALS) process.off(signal, interrupt);
  };
  const interrupt = (signal: NodeJS.Signals): void => {
    end();
    putRight();
    // Nobody else listens: now it ends the process. Somebody does: once more changes nothing.
    process.kill(process.pid, signal);
  };
  for (const signal of SIGNALS) process.on(signal, interrupt);
  return end;
}
