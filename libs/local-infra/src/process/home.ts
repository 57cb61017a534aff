import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { tryLock, type FileLock } from './file-lock.js';
import { identityOf, isRunning, type ProcessIdentity } from './identity.js';
import { terminate } from './terminate.js';
import { userName } from './user-name.js';

/** A process that has to be ended with its home. */
export interface StartedProcess extends ProcessIdentity {
  readonly name: string;
}

/** How long a process that an earlier, killed starter left behind may take to end. */
const LEFTOVER_GRACE_MS = 8_000;
const TEMPORARY_ROOT = join(tmpdir(), `stechuhr-homes-${userName()}`);

/**
 * The state folder of one running platform or test: its data, its logs, and `processes.json`, the list of started processes. Only one starter can
 * hold it at a time; opening it stops what a killed starter left running.
 */
export class Home {
  private processes: StartedProcess[] = [];
  private ending = false;

  readonly path: string;
  private readonly lock: FileLock;

  private constructor(path: string, lock: FileLock) {
    this.path = path;
    this.lock = lock;
  }

  /** Takes over the folder, creating it if needed. Rejects if another running starter holds it. */
  static async open(path: string, log: (line: string) => void = () => {}): Promise<Home> {
    const folder = resolve(path);
    const lock = inPlace(folder, () => {
      makeFolder(folder);
      return tryLock(join(folder, 'lock'));
    });
    if (!('release' in lock)) throw new HomeInUse(folder, lock.pid);
    const home = new Home(folder, lock);
    await home.endLeftovers(log);
    return home;
  }

  /** A temporary folder for a test; `close` removes it. */
  static async temporary(): Promise<Home> {
    await sweepTemporaryHomes();
    return Home.open(mkdtempSync(join(TEMPORARY_ROOT, `${process.pid}-`)));
  }

  /** Whether it is removed when closed. The processes of such a home must not keep the test process alive. */
  get isTemporary(): boolean {
    return this.path.startsWith(TEMPORARY_ROOT);
  }

  /** Whether everything here is being stopped, so that a process which ends now was asked to. */
  get isEnding(): boolean {
    return this.ending;
  }

  /** Creates a folder inside the home. */
  folder(...names: string[]): string {
    const path = join(this.path, ...names);
    mkdirSync(path, { recursive: true });
    return path;
  }

  /**
   * Records a process at once, so that a killed starter leaves no unknown child.
   * @throws if it cannot be recorded, for example on a full disk; the caller then ends the process
   */
  add(started: StartedProcess): void {
    this.processes.push(started);
    this.write();
  }

  /** Removes a process that has ended from the list. */
  remove(pid: number): void {
    this.processes = this.processes.filter((known) => known.pid !== pid);
    try {
      this.write();
    } catch {
      // The disk is full. Readers of the list notice by themselves that the process has ended.
    }
  }

  /** @throws when the home is being stopped, so that nothing is started any more */
  assertOpen(): void {
    if (this.ending) throw new Error(`${this.path} is being closed`);
  }

  /** Ends everything that was started here and still runs, in reverse order; nothing can be started afterwards. */
  async endAll(graceMs = LEFTOVER_GRACE_MS): Promise<void> {
    this.ending = true;
    for (const process of this.processes.toReversed()) {
      await terminate(process, graceMs);
      // Removed now, since the starter may end before it is notified.
      this.remove(process.pid);
    }
  }

  /** Releases the folder; a temporary one is deleted. */
  async close(): Promise<void> {
    this.lock.release();
    if (this.isTemporary) await rm(this.path, { recursive: true, force: true, maxRetries: 5 });
  }

  private async endLeftovers(log: (line: string) => void): Promise<void> {
    const left = readProcesses(this.path).filter(isRunning);
    if (left.length > 0) log(`stopping what an interrupted run left running: ${left.map(({ name }) => name).join(', ')}`);
    // In reverse order, since later processes depend on earlier ones.
    for (const process of left.reverse()) await terminate(process, LEFTOVER_GRACE_MS);
    this.write();
  }

  private write(): void {
    const draft = join(this.path, 'processes.json.new');
    writeFileSync(draft, JSON.stringify(this.processes, null, 2));
    renameSync(draft, join(this.path, 'processes.json'));
  }
}

/** Another starter holds the folder. */
export class HomeInUse extends Error {
  override readonly name = 'HomeInUse';

  constructor(path: string, pid: number) {
    super(`${path} is in use by process ${pid}: stop that one first, or choose another folder by STECHUHR_HOME`);
  }
}

/** Creates folder by folder: Node's `recursive` option never returns if a file system answers "no such file", as /proc does. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it first.
    if (!existsSync(folder)) throw error;
  }
}

/** Adds the path of the folder to errors. */
function inPlace<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).message;
    throw new Error(`${folder} cannot hold the state, choose another folder by STECHUHR_HOME: ${reason}`, { cause: error });
  }
}

function readProcesses(path: string): StartedProcess[] {
  try {
    return JSON.parse(readFileSync(join(path, 'processes.json'), 'utf8')) as StartedProcess[];
  } catch {
    return [];
  }
}

/** Stops and removes what killed tests left behind. */
export async function sweepTemporaryHomes(): Promise<void> {
  mkdirSync(TEMPORARY_ROOT, { recursive: true });
  for (const name of readdirSync(TEMPORARY_ROOT)) {
    // The name contains the owner's pid, so that a folder which its owner has not locked yet is left alone.
    if (identityOf(Number.parseInt(name, 10)).startedAt === null) await openAndClose(join(TEMPORARY_ROOT, name));
  }
}

/** Stops what killed starters left running in the homes inside a folder; the homes themselves stay. The folder need not exist. */
export async function sweepHomesIn(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  for (const { name } of readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
    await openAndClose(join(folder, name));
  }
}

/** Opening a home ends the processes left in it; a home held by a running starter is left alone. */
async function openAndClose(path: string): Promise<void> {
  try {
    await (await Home.open(path)).close();
  } catch (error) {
    if (!(error instanceof HomeInUse)) throw error;
  }
}
