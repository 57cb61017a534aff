import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identityOf, isRunning, type ProcessIdentity } from '../src/process/identity.js';
import { waitUntil } from '../src/process/wait-until.js';
import { pingRedis } from '../src/probes/probes.js';
import { Home, HomeInUse, startProcess, startRedis, sweepHomesIn, type ManagedProcess } from '../src/index.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stechuhr-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

const sleeper = (home: Home): Promise<ManagedProcess> =>
  startProcess({ name: 'sleeper', command: 'sleep', args: ['1000'], logFile: join(folder, 'log'), graceMs: 1_000 }, home);

/** Leaves a home as a killed starter does: the lock names a process that no longer exists. */
async function abandon(home: Home): Promise<void> {
  const gone = spawn('true');
  const identity = identityOf(gone.pid ?? 0);
  await new Promise((resolve) => gone.once('exit', resolve));
  writeFileSync(join(home.path, 'lock'), JSON.stringify(identity));
}

describe('a process whose log cannot be written', () => {
  // Uses /dev/full, a device that is always full.
  const onLinux = process.platform === 'linux' ? it : it.skip;
  onLinux('is still read, and its starter continues', async () => {
    const home = await Home.open(folder);
    const last = Promise.withResolvers<string>();
    const script = 'for (let n = 0; n < 5000; n += 1) console.log("a line of a log ".repeat(8)); console.log("last")';
    const onLine = (line: string) => line === 'last' && last.resolve(line);
    const spec = { name: 'talker', command: process.execPath, args: ['-e', script], logFile: '/dev/full', graceMs: 500, onLine };
    const talker = await startProcess(spec, home);
    await expect(last.promise).resolves.toBe('last');
    await expect(talker.exited).resolves.toMatchObject({ code: 0 });
    await home.close();
  });
});

describe('opening a home', () => {
  it('ends what a killed starter left behind', async () => {
    const home = await Home.open(folder);
    const left = await sleeper(home);
    await abandon(home);
    const lines: string[] = [];
    const next = await Home.open(folder, (line) => lines.push(line));
    await expect(left.exited).resolves.toMatchObject({ signal: 'SIGTERM', asked: false });
    expect(lines).toEqual(['stopping what an interrupted run left running: sleeper']);
    await next.close();
  });

  it('ignores processes that have ended by themselves', async () => {
    const home = await Home.open(folder);
    const { pid, kill } = await sleeper(home);
    const entries = readFileSync(join(folder, 'processes.json'), 'utf8');
    await kill('SIGKILL');
    writeFileSync(join(folder, 'processes.json'), entries);
    await abandon(home);
    const lines: string[] = [];
    const next = await Home.open(folder, (line) => lines.push(line));
    expect([entries.includes(String(pid)), lines]).toEqual([true, []]);
    await next.close();
  });

  it('ends a leftover that ignores SIGTERM', async () => {
    const home = await Home.open(folder);
    const args = ['-e', "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('up')"];
    const up = Promise.withResolvers<string>();
    const stubborn = await startProcess(
      { name: 'stubborn', command: process.execPath, args, logFile: join(folder, 'log'), graceMs: 500, onLine: up.resolve },
      home,
    );
    await up.promise;
    await stubborn.stop();
    await expect(stubborn.exited).resolves.toMatchObject({ signal: 'SIGKILL', asked: true });
    await home.close();
  });

  it('never touches a process that was given the pid of a leftover', async () => {
    const home = await Home.open(folder);
    const innocent = await sleeper(home);
    const recorded: ProcessIdentity & { name: string } = { name: 'old', pid: innocent.pid, startedAt: 'another boot:1' };
    writeFileSync(join(folder, 'processes.json'), JSON.stringify([recorded]));
    await abandon(home);
    const next = await Home.open(folder);
    expect(isRunning(identityOf(innocent.pid))).toBe(true);
    await innocent.kill('SIGKILL');
    await next.close();
  });

  it('is refused while its starter runs', async () => {
    const home = await Home.open(folder);
    await expect(Home.open(folder)).rejects.toThrow(HomeInUse);
    await home.close();
    await (await Home.open(folder)).close();
  });

  it('is what ends leftovers of all homes in a folder, but for those in use', async () => {
    const [left, held] = [await Home.open(join(folder, 'left')), await Home.open(join(folder, 'held'))];
    const [orphan, kept] = [await sleeper(left), await sleeper(held)];
    await abandon(left);
    await sweepHomesIn(folder);
    await sweepHomesIn(join(folder, 'nowhere'));
    await expect(orphan.exited).resolves.toMatchObject({ signal: 'SIGTERM', asked: false });
    expect(isRunning(identityOf(kept.pid))).toBe(true);
    await kept.stop();
    await held.close();
  });

  it('survives a torn list of processes', async () => {
    writeFileSync(join(folder, 'processes.json'), '[{"na');
    await (await Home.open(folder)).close();
  });
});

describe('a home whose list cannot be written, as on a full disk', () => {
  const argumentsOf = (): string => execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });

  it('ends what runs', async () => {
    const home = await Home.open(folder);
    const [one, other] = [await sleeper(home), await sleeper(home)];
    mkdirSync(join(folder, 'processes.json.new'));
    await one.kill('SIGKILL');
    await home.endAll();
    await expect(other.exited).resolves.toMatchObject({ signal: 'SIGTERM' });
    await home.close();
  });

  it('starts nothing that would be left running, and reports the reason', async () => {
    const home = await Home.open(folder);
    mkdirSync(join(folder, 'processes.json.new'));
    const seconds = `1000.${process.pid}`;
    const started = startProcess(
      { name: 'sleeper', command: 'sleep', args: [seconds], logFile: join(folder, 'log'), graceMs: 1_000 },
      home,
    );
    await expect(started).rejects.toThrow('EISDIR');
    await waitUntil(async () => expect(argumentsOf()).not.toContain(`sleep ${seconds}`), { timeoutMs: 5_000 });
    await home.close();
  });
});

describe('a home whose processes are all ended', () => {
  it('has no list of them, and they have died as they were asked to', async () => {
    const home = await Home.open(folder);
    const one = await sleeper(home);
    await home.endAll();
    // Checked at once, because the starter ends now.
    expect(JSON.parse(readFileSync(join(folder, 'processes.json'), 'utf8'))).toEqual([]);
    await expect(one.exited).resolves.toMatchObject({ signal: 'SIGTERM', asked: true });
    await home.close();
  });
});

describe('a started server', () => {
  it('is noted while it runs, and only then', async () => {
    const noted = (): unknown => JSON.parse(readFileSync(join(folder, 'processes.json'), 'utf8'));
    const server = await startRedis({ home: folder, own: true });
    expect(noted()).toEqual([expect.objectContaining({ name: 'redis', pid: expect.any(Number), startedAt: expect.any(String) })]);
    await server.stop();
    expect(noted()).toEqual([]);
  });

  it('comes back at its address after a crash, which is reported', async () => {
    const server = await startRedis({ home: folder, own: true });
    const { pid } = (JSON.parse(readFileSync(join(folder, 'processes.json'), 'utf8')) as [ProcessIdentity])[0];
    process.kill(pid, 'SIGKILL');
    await expect(server.died()).resolves.toBe('redis ended (SIGKILL)');
    await server.restart();
    await pingRedis(server.address);
    await server.stop();
  });
});
