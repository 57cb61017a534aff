// Preloaded into the services under measurement, never part of them: tells over a local socket for how long the event loop was late at
// worst since it was last asked.
import { createServer } from 'node:net';
import { rmSync } from 'node:fs';
import { probePath } from './probe-path.js';

const TICK_MS = 5;
const folder = process.env['BENCH_PROBES'];

if (folder !== undefined) {
  let last = performance.now();
  let gapMs = 0;
  const look = (): void => {
    const now = performance.now();
    gapMs = Math.max(gapMs, now - last - TICK_MS);
    last = now;
  };
  setInterval(look, TICK_MS).unref();
  const path = probePath(folder, process.pid);
  rmSync(path, { force: true });
  const server = createServer((socket) => {
    look();
    socket.on('error', () => undefined).end(JSON.stringify({ gapMs }));
    gapMs = 0;
  });
  server.listen(path).unref();
}
