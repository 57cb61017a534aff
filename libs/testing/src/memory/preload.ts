// Preloaded by services of the fault campaign (`NODE_OPTIONS=--import`). On SIGUSR2, the process collects garbage and writes its memory
// usage to the file with its pid in MEMORY_FOLDER. Without the collection, the usage would depend on when Node last collected.
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Another thread returns collected memory to the system, and objects with finalizers are only collected in a second pass. */
const RELEASE_MS = 200;

const { MEMORY_FOLDER = '' } = process.env;

if (MEMORY_FOLDER !== '') {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const write = (): void => {
    const file = join(MEMORY_FOLDER, String(process.pid));
    // Renamed atomically, so that readers never see a partial file.
    writeFileSync(`${file}.draft`, JSON.stringify(process.memoryUsage()));
    renameSync(`${file}.draft`, file);
  };
  process.on('SIGUSR2', () => {
    collect();
    setTimeout(() => {
      collect();
      setTimeout(write, RELEASE_MS);
    }, RELEASE_MS);
  });
}
