import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Advice } from './say.mjs';

const SHOWN_LINES = 60;
const FORWARDED = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
/** How often to check whether the parent process still runs. */
const PARENT_MS = 500;
/** How long the children of an ended command have to end after SIGTERM, and how often this is checked. */
const GROUP_GRACE_MS = 10_000;
const GROUP_MS = 100;

/**
 * Runs a command without showing its output.
 * @throws {Advice} with the last lines of the output if the command fails
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 */
export async function runQuietly(command, args, options = {}) {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  stopWithScript(child);
  const lines = /** @type {string[]} */ ([]);
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk) => lines.push(chunk));
  const code = await exitOf(child);
  if (code === 0) return;
  const output = lines.join('').trimEnd().split('\n').slice(-SHOWN_LINES).join('\n');
  throw new Advice(`${[command, ...args].join(' ')} failed (${code}):\n${output}`);
}

/**
 * Runs a command in the foreground as if it replaced this script: it has the same terminal, and signals are forwarded to it.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<number>} its exit code
 */
export async function runInForeground(command, args, env = process.env) {
  const child = spawn(command, args, { stdio: 'inherit', env });
  return forwardSignals(child, (signal) => void child.kill(signal));
}

/**
 * Like {@link runInForeground}, for a command whose children may outlive it: if the command fails, its remaining children are ended.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>} its exit code
 */
export async function runWithChildren(command, args, env) {
  // `detached` creates a process group, which can be ended as a whole.
  const child = spawn(command, args, { stdio: 'inherit', env, detached: true });
  const group = -(child.pid ?? 0);
  const code = await forwardSignals(child, (signal) => void signalGroup(group, signal));
  if (code !== 0) {
    for (const began = Date.now(); signalGroup(group, Date.now() - began < GROUP_GRACE_MS ? 'SIGTERM' : 'SIGKILL');) await sleep(GROUP_MS);
  }
  return code;
}

/** @param {number} group @param {NodeJS.Signals} signal @returns {boolean} whether the group still has processes */
function signalGroup(group, signal) {
  try {
    return process.kill(group, signal);
  } catch {
    return false;
  }
}

/** @param {import('node:child_process').ChildProcess} child @param {(signal: NodeJS.Signals) => void} forward */
async function forwardSignals(child, forward) {
  // Ctrl-C reaches the child through the terminal too. Commands that run in the foreground treat two signals in quick succession as one.
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
 * Calls `end` when the parent process has ended. npm does not forward signals, so a supervisor that ends npm would leave the command
 * running.
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
 * Stops a child when a signal stops this script.
 * @param {import('node:child_process').ChildProcess} child
 */
export function stopWithScript(child) {
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
