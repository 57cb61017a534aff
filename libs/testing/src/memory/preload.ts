// Preloaded by services of the campaign (`NODE_OPTIONS=--import`): at SIGUSR2 a process collects its garbage and writes what it still holds into
// the file of its number in MEMORY_FOLDER. What Node holds otherwise depends on when it last collected.
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What was collected is given back to the system by another thread; and what it had the last word on goes only in a second turn. */
const GIVEN_BACK_MS = 200;

const { MEMORY_FOLDER = '' } = process.env;

if (MEMORY_FOLDER !== '') {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const write = (): void => {
    const file = join(MEMORY_FOLDER, String(process.pid));
    // In one step, or a reader might get half of it.
    writeFileSync(`${file}.draft`, JSON.stringify(process.memoryUsage()));
    renameSync(`${file}.draft`, file);
  };
  process.on('SIGUSR2', () => {
    collect();
    setTimeout(() => {
      collect();
      setTimeout(write, GIVEN_BACK_MS);
    }, GIVEN_BACK_MS);
  });
}
