#!/usr/bin/env node
const OLDEST = 24;

if (Number.parseInt(process.versions.node, 10) < OLDEST) {
  const advice = 'In a checkout "npm run -s stechuhr -- <command>" fetches it by itself.';
  process.stderr.write(`stechuhr needs Node ${OLDEST}, and this is ${process.versions.node}. ${advice}\n`);
  process.exitCode = 1;
} else {
  await import('../dist/main.js');
}
