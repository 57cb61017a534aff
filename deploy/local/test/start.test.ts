import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { waitFor } from '@stechuhr/testing';
import { topology } from '../src/topology.js';
import { end, stillRunning, testHome, type TestHome } from './starter.js';

let home: TestHome;
beforeEach(() => {
  home = testHome();
});
afterEach(() => home.remove());

/** Returns how many times each service has become ready in the folder. */
function readyServices(): Readonly<Record<string, number>> {
  const times = (name: string): number => readFileSync(join(home.path, 'logs', `${name}.log`), 'utf8').split('"msg":"ready"').length - 1;
  return Object.fromEntries(topology.map(({ name }) => [name, times(name)]));
}

describe('npm start', () => {
  it('serves requests, restarts a dead service, ends processes of a killed starter, and can be stopped before it is ready again', async () => {
    const starter = home.start();
    const run = await home.ready(starter);
    expect(run).toMatchObject({ ready: true, demo: null, services: { records: { grpc: expect.any(String) }, gateway: { grpc: null } } });
    expect(statSync(join(home.path, 'run.json')).mode & 0o777).toBe(0o600);
    expect((await fetch(`${run.base_url}/`)).status).toBe(401);

    const second = home.start();
    await once(second.child, 'exit');
    expect(second.output()).toContain(`is in use by process ${starter.child.pid}`);
    expect(home.run().pid).toBe(starter.child.pid);

    const victim = home.started().find(({ name }) => name === 'records');
    process.kill(victim?.pid ?? 0, 'SIGKILL');
    await waitFor(() => starter.output().includes('records runs again'));
    expect((await fetch(`http://${run.services['records']?.admin}/readyz`)).status).toBe(200);

    const orphans = home.started().map(({ pid }) => pid);
    await end(starter, 'SIGKILL');
    const before = readyServices();
    // All services run, and for half a minute the demo organization is loaded.
    const next = home.start({ STECHUHR_DEMO: 'on' });
    await waitFor(() => Object.entries(readyServices()).every(([name, times]) => times > (before[name] ?? 0)));
    expect(await stillRunning(orphans)).toEqual([]);

    const pids = home.started().map(({ pid }) => pid);
    expect(pids.length).toBeGreaterThanOrEqual(topology.length + 4);
    expect(await end(next, 'SIGINT')).toBe(0);
    const [, outputAfterStop] = next.output().split('stechuhr: stopping; the data stays\n');
    expect(outputAfterStop).toBe('');
    expect(await stillRunning(pids)).toEqual([]);
    expect(home.started()).toEqual([]);
    expect(existsSync(join(home.path, 'run.json'))).toBe(false);
  });

  it('can be stopped while it is starting', async () => {
    const starter = home.start();
    await waitFor(() => existsSync(join(home.path, 'processes.json')) && home.started().length >= 2);
    expect(await end(starter, 'SIGTERM')).toBe(0);
    expect(await stillRunning(home.started().map(({ pid }) => pid))).toEqual([]);
  });

  it('names the state folder if it cannot be created', async () => {
    const folder = join(home.path, 'of-others');
    mkdirSync(folder, { mode: 0o500 });
    const starter = home.start({ STECHUHR_HOME: join(folder, 'home') }, { unprivileged: true });
    await once(starter.child, 'close');
    expect(starter.child.exitCode).toBe(1);
    const reason = `EACCES: permission denied, mkdir '${folder}/home'`;
    expect(starter.output().trim()).toBe(
      `stechuhr: ${folder}/home cannot hold the state, choose another folder by STECHUHR_HOME: ${reason}`,
    );
  });

  it('names the log file if it cannot be written', async () => {
    mkdirSync(join(home.path, 'logs'), { mode: 0o500 });
    const starter = home.start({}, { unprivileged: true });
    await once(starter.child, 'close');
    expect(starter.child.exitCode).toBe(1);
    expect(starter.output()).toMatch(/^stechuhr: .*EACCES: permission denied, open '.*\/logs\/\w+\.log'/m);
    expect(await stillRunning(home.started().map(({ pid }) => pid))).toEqual([]);
  });

  it('advises to choose another port when the port is taken', async () => {
    const squatter = createServer().listen(0, '127.0.0.1');
    await once(squatter, 'listening');
    const { port } = squatter.address() as AddressInfo;
    const starter = home.start({ PORT: String(port) });
    await once(starter.child, 'exit');
    expect(starter.child.exitCode).toBe(1);
    expect(starter.output()).toContain(`Port ${port} is taken. Choose another one, or any free one: PORT=0 npm start`);
    squatter.close();
  });
});
