// Preloaded into services of the fault tests (`NODE_OPTIONS=--import`): on SIGUSR2, a process collects its garbage and writes its memory usage to the
// file with its pid in MEMORY_FOLDER. Otherwise, the usage would depend on when Node last collected.
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Another thread returns the collected memory to the system, and objects with finalizers are collected only in a second run. */
const GIVEN_BACK_MS = 200;

const { MEMORY_FOLDER = '' } = process.env;

if (MEMORY_FOLDER !== '') {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const write = (): void => {
    const file = join(MEMORY_FOLDER, String(process.pid));
    // Atomically, since a reader could otherwise read half of it.
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
