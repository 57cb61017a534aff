import { run } from './run.js';

/** How long a process whose command has ended may still have something open, in milliseconds. */
const LEFT_OPEN_MS = 1_000;

await run();
// When the result is written, what is still open has nothing to do any more, such as an attempt to connect to a server that does not answer.
process.stdout.write('', () => setTimeout(() => process.exit(), LEFT_OPEN_MS).unref());
