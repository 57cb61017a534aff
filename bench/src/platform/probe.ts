// Preloaded only into measured services. It reports over a local socket, for the time since the previous query, the longest delay of the
// event loop, and the most CPU time that the thread used between two ticks. The CPU time excludes delays in which the thread only waited
// because the machine was busy with other processes.
import { createServer } from 'node:net';
import { rmSync } from 'node:fs';
import { probePath } from './probe-path.js';

const TICK_MS = Number(process.env['BENCH_PROBE_MS'] ?? 5);
const folder = process.env['BENCH_PROBES'];

if (folder !== undefined) {
  let last = { at: performance.now(), cpuMs: cpuMs() };
  let [gapMs, busyMs] = [0, 0];
  const update = (): void => {
    const now = { at: performance.now(), cpuMs: cpuMs() };
    gapMs = Math.max(gapMs, now.at - last.at - TICK_MS);
    busyMs = Math.max(busyMs, now.cpuMs - last.cpuMs);
    last = now;
  };
  setInterval(update, TICK_MS).unref();
  const path = probePath(folder, process.pid);
  rmSync(path, { force: true });
  const server = createServer((socket) => {
    update();
    socket.on('error', () => undefined).end(JSON.stringify({ gapMs, busyMs }));
    [gapMs, busyMs] = [0, 0];
  });
  server.listen(path).unref();
}

/** Returns the CPU time of this thread only; other threads collect garbage and deflate files. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
