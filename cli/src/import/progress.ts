import { SingleBar } from 'cli-progress';
import { cleanUpOnSignal } from '../clean-up-on-signal.js';

/** Displays the progress of a command on stderr. */
export interface Progress {
  /** `done` counts bytes if the total is in bytes, otherwise lines. */
  update(done: number, lines: number): void;
  stop(): void;
}

const LINE_EVERY_MS = 5_000;

/** A progress bar on a terminal, if the total is known; otherwise an occasional line, so that logs stay short. */
export function createProgress(label: string, total: number | null, unit = 'lines'): Progress {
  return process.stderr.isTTY && total !== null && total > 0 ? bar(label, total, unit) : occasionalLines(label, unit);
}

function bar(label: string, total: number, unit: string): Progress {
  const progress = new SingleBar({
    format: `${label} {bar} {percentage}% | {lines} ${unit} | {duration_formatted}`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
    clearOnComplete: true,
    stream: process.stderr,
  });
  progress.start(total, 0, { lines: 0 });
  // The bar hides the cursor and disables line wrapping, both of which have to be restored.
  const end = cleanUpOnSignal(() => progress.stop());
  return {
    update: (done, lines) => progress.update(done, { lines }),
    stop() {
      end();
      progress.stop();
    },
  };
}

function occasionalLines(label: string, unit: string): Progress {
  let next = performance.now() + LINE_EVERY_MS;
  return {
    update(_done, lines) {
      if (performance.now() < next) return;
      next = performance.now() + LINE_EVERY_MS;
      process.stderr.write(`${label} ${lines} ${unit}\n`);
    },
    stop: () => undefined,
  };
}
