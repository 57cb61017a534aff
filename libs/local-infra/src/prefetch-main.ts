import { prefetch } from './infra.js';
import type { PartName } from './providers/provider.js';
import { prefetchTools } from './tools.js';

// Run beside installation and build, from the sources: only Node's own modules are there yet, and Node leaves out the types (which is why
// this project is held to erasable syntax). Its arguments are the parts; complaints are left to the start that misses the server.
process.once('SIGTERM', () => process.exit(1));
const log = (line: string): void => void process.stderr.write(`infra: ${line}\n`);
const isPart = (name: string): name is PartName => ['mongodb', 'nats', 'redis', 's3'].includes(name);
try {
  await prefetch(log, process.argv.slice(2).filter(isPart));
  // After the servers: both are built by Go, which takes every core.
  if (process.argv.includes('tools')) await prefetchTools(log);
} catch (error) {
  log(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
