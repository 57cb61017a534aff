import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { Advice } from './say.mjs';

const SHOWN_LINES = 60;
const FORWARDED = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
/** How often to look whether the process above is still there. */
const PARENT_MS = 500;

/**
 * Runs a command quietly to its end; its output is shown only when it fails.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 */
export async function runQuietly(command, args, options = {}) {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  endWithUs(child);
  const lines = /** @type {string[]} */ ([]);
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk) => lines.push(chunk));
  const code = await exitOf(child);
  if (code === 0) return;
  const output = lines.join('').trimEnd().split('\n').slice(-SHOWN_LINES).join('\n');
  throw new Advice(`${[command, ...args].join(' ')} failed (${code}):\n${output}`);
}

/**
 * Runs a command in the foreground, as if it had been started instead of this script: same terminal, signals passed on.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<number>} its exit code
 */
export async function runInForeground(command, args, env = process.env) {
  const child = spawn(command, args, { stdio: 'inherit', env });
  const forward = /** @param {NodeJS.Signals} signal */ (signal) => void child.kill(signal);
  // A Ctrl-C reaches the child by the terminal too; what runs in the foreground takes two of them at once for one.
  for (const signal of FORWARDED) process.on(signal, forward);
  const watch = endWithParent(() => forward('SIGTERM'));
  try {
    return await exitOf(child);
  } finally {
    clearInterval(watch);
    for (const signal of FORWARDED) process.off(signal, forward);
  }
}

/**
 * A supervisor that ends npm ends nothing else, because npm does not pass the signal on: a command whose parent is gone stops by itself.
 * @param {() => void} end
 */
function endWithParent(end) {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    end();
  }, PARENT_MS);
  return watch;
}

/**
 * Stops a child when this script is stopped: its work is no longer needed.
 * @param {import('node:child_process').ChildProcess} child
 */
export function endWithUs(child) {
  const end = /** @param {NodeJS.Signals} signal */ (signal) => {
    child.kill('SIGTERM');
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of FORWARDED) process.on(signal, end);
  child.once('close', () => {
    for (const signal of FORWARDED) process.off(signal, end);
  });
}

/** @param {import('node:child_process').ChildProcess} child */
function exitOf(child) {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
}
