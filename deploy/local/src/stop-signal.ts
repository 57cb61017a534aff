const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/**
 * A single Ctrl-C arrives several times: from the terminal, from npm and from the bootstrap script. Signals within this time count as one.
 */
const SAME_PRESS_MS = 1_000;

/** What to do on the first and on the second stop signal. */
export interface StopActions {
  stop(): Promise<void>;
  /** Called on the second signal: the user does not want to wait any longer. */
  stopHard(): Promise<void>;
}

/** Resolves when a stop signal has arrived and `stop` or a later `stopHard` has completed. */
export function onStopSignal({ stop, stopHard }: StopActions): Promise<void> {
  // Signal handlers do not keep a process alive, so a timer does.
  const alive = setInterval(() => {}, 1 << 30);
  return new Promise<void>((resolve, reject) => {
    let firstAt: number | undefined;
    const finish = (action: () => Promise<void>): void => {
      action()
        .then(resolve, reject)
        .finally(() => clearInterval(alive));
    };
    const onSignal = (): void => {
      if (firstAt === undefined) {
        firstAt = performance.now();
        finish(stop);
      } else if (performance.now() - firstAt > SAME_PRESS_MS) {
        finish(stopHard);
      }
    };
    for (const signal of SIGNALS) process.on(signal, onSignal);
  });
}
