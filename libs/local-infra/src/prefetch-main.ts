import { prefetch } from './infra.js';

/** Run beside the build: fetches the servers, tells of it on standard error, and leaves complaints to the start that needs them. */
process.once('SIGTERM', () => process.exit(1));
try {
  await prefetch((line) => process.stderr.write(`infra: ${line}\n`));
} catch (error) {
  process.stderr.write(`infra: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
