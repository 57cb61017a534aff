// Preloaded into the services under measurement, never part of them: tells over a local socket for how long the event loop was late at
// worst since it was last asked, and how much of such a time its own work took: where the machine is busy with something else a thread
// waits for its turn without having blocked anything.
import { createServer } from 'node:net';
import { rmSync } from 'node:fs';
import { probePath } from './probe-path.js';

const TICK_MS = 5;
const folder = process.env['BENCH_PROBES'];

if (folder !== undefined) {
  let last = { at: performance.now(), cpuMs: cpuMs() };
  let [gapMs, busyMs] = [0, 0];
  const look = (): void => {
    const now = { at: performance.now(), cpuMs: cpuMs() };
    gapMs = Math.max(gapMs, now.at - last.at - TICK_MS);
    busyMs = Math.max(busyMs, now.cpuMs - last.cpuMs);
    last = now;
  };
  setInterval(look, TICK_MS).unref();
  const path = probePath(folder, process.pid);
  rmSync(path, { force: true });
  const server = createServer((socket) => {
    look();
    socket.on('error', () => undefined).end(JSON.stringify({ gapMs, busyMs }));
    [gapMs, busyMs] = [0, 0];
  });
  server.listen(path).unref();
}

/** Of this thread alone: garbage is also collected, and files are deflated, by others. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
