import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** The options of {@link startServiceProcess}. */
export interface ServiceProcessOptions {
  /** The compiled `main.js` of a service. */
  readonly main: string;
  /** Its complete environment, except PATH. */
  readonly env: Readonly<Record<string, string>>;
  /** Node options in front of the script. */
  readonly nodeOptions?: readonly string[];
}

/** A service in its own process, as in production. */
export interface ServiceProcess {
  readonly pid: number;
  /** `host:port` of its gRPC server; empty if it has none. */
  readonly address: string;
  stop(): Promise<void>;
  /** Kills it, like a crash. */
  kill(): Promise<void>;
}

/** Starts a built service and waits until it logs that it is ready. @throws if it ends before */
export async function startServiceProcess({ main, env, nodeOptions = [] }: ServiceProcessOptions): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [...nodeOptions, main], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const end = async (signal: NodeJS.Signals) => {
    child.ref();
    child.kill(signal);
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  const address = await readyAddress(child, child.stdout);
  endWithUs(child);
  return { pid: child.pid ?? 0, address, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') };
}

/** Ties the process to this one: if a suite fails during its setup, nothing stops the process, and it must not keep the run from ending. */
function endWithUs(child: ChildProcess): void {
  child.unref();
  if (child.stdout instanceof Socket) child.stdout.unref();
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
}

/** Waits for the log line with its address. Its output is read until the end, because a full pipe would block the process. */
function readyAddress(child: ChildProcess, output: Readable): Promise<string> {
  const lines: string[] = [];
  return new Promise((resolve, reject) => {
    createInterface({ input: output }).on('line', (line) => {
      lines.push(line);
      const { msg, grpc } = JSON.parse(line) as { readonly msg?: string; readonly grpc?: string | null };
      if (msg === 'ready' && grpc !== undefined) resolve(grpc ?? '');
    });
    child.once('exit', (code) => reject(new Error(`The service ended with ${String(code)} before it was ready.\n${lines.join('\n')}`)));
  });
}
