import { prefetch } from './infra.js';
import type { PartName } from './providers/provider.js';
import { prefetchTools } from './tools.js';

// Runs in parallel with installation and build, directly from the sources: no packages are installed yet, and Node strips the types (hence the
// restriction of this project to erasable syntax). The arguments are names of servers. Errors are ignored here; whoever needs the server reports
// them.
process.once('SIGTERM', () => process.exit(1));
const log = (line: string): void => void process.stderr.write(`infra: ${line}\n`);
const isPart = (name: string): name is PartName => ['mongodb', 'nats', 'redis', 's3'].includes(name);
try {
  await prefetch(log, process.argv.slice(2).filter(isPart));
  // After the servers: both are built with Go, which uses all cores.
  if (process.argv.includes('tools')) await prefetchTools(log);
} catch (error) {
  log(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
