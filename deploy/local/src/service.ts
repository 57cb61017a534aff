import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { machineTimeout, startProcess, type Home, type Log, type ManagedProcess } from '@stechuhr/local-infra';
import { readLogLine, type Ready } from './log-line.js';
import { memoryOptions, type ServiceDefinition } from './topology.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** Services stop themselves after 25 s at the latest. */
const GRACE_MS = 27_000;
const READY_TIMEOUT_MS = 60_000;
const SHOWN_LINES = 15;
const REPEAT_MS = 30_000;
/** Same as in the images: otherwise the allocator keeps one arena per thread. */
const ALLOCATOR = { MALLOC_ARENA_MAX: '2' };

/** How to start a service. */
export interface ServiceOptions {
  readonly service: ServiceDefinition;
  readonly env: NodeJS.ProcessEnv;
  readonly home: Home;
  readonly log: Log;
}

/** A service that runs in its own process. */
export class Service {
  private process: ManagedProcess | undefined;
  private readonly shown = new Map<string, number>();

  constructor(private readonly options: ServiceOptions) {}

  get name(): string {
    return this.options.service.name;
  }

  get pid(): number {
    return this.process?.pid ?? 0;
  }

  private get logFile(): string {
    return join(this.options.home.folder('logs'), `${this.name}.log`);
  }

  /** Starts the service, for the first time or again, and waits until it logs that it is ready. */
  async start(): Promise<Ready> {
    const { service, env, home } = this.options;
    const { name } = service;
    const ready = Promise.withResolvers<Ready>();
    const onLine = (line: string): void => {
      const read = readLogLine(line);
      if (read && 'ready' in read) ready.resolve(read.ready);
      else if (read) this.show(read.problem);
    };
    const args = [...memoryOptions(service), '--import', '@stechuhr/service/telemetry', join('dist', 'main.js')];
    const place = { cwd: join(ROOT, 'services', name), logFile: this.logFile };
    this.process = await startProcess(
      { name, command: process.execPath, args, env: { ...env, ...ALLOCATOR }, ...place, graceMs: GRACE_MS, onLine },
      home,
    );
    return this.readyUnlessEnded(this.process, ready.promise);
  }

  /** Resolves with a description when the service has ended without having been stopped. */
  async died(): Promise<string> {
    const exit = await this.process?.exited;
    if (exit === undefined || exit.asked) return new Promise<string>(() => {});
    return `${this.name} ended (${exit.code ?? exit.signal}), see ${this.logFile}`;
  }

  /** Sends SIGTERM, and SIGKILL if the service takes longer than it may. */
  async stop(): Promise<void> {
    await this.process?.stop();
  }

  /** Ends the service with a signal. It is not restarted automatically. */
  async kill(signal: NodeJS.Signals): Promise<void> {
    await this.process?.kill(signal);
  }

  /** Restarts the service at the same address; if it still runs, it is stopped first. */
  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  private async readyUnlessEnded(child: ManagedProcess, ready: Promise<Ready>): Promise<Ready> {
    const late = Promise.withResolvers<never>();
    const forget = machineTimeout(() => late.reject(new Error(`${this.name} did not become ready in time`)), READY_TIMEOUT_MS);
    const ended = child.exited.then(({ code, signal }): never => {
      throw new Error(`${this.name} ended (${code ?? signal}) before it was ready:\n${this.lastLines()}`);
    });
    try {
      return await Promise.race([ready, ended, late.promise]);
    } catch (error) {
      await child.kill('SIGKILL');
      throw error;
    } finally {
      forget();
      ended.catch(() => undefined);
    }
  }

  private lastLines(): string {
    return readFileSync(this.logFile, 'utf8').trimEnd().split('\n').slice(-SHOWN_LINES).join('\n');
  }

  /** Shows a problem, but a repeated one at most every 30 seconds. */
  private show(problem: string): void {
    const last = this.shown.get(problem) ?? Number.NEGATIVE_INFINITY;
    if (performance.now() - last < REPEAT_MS) return;
    this.shown.set(problem, performance.now());
    this.options.log(`${this.name}: ${problem}`);
  }
}
