import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { freePort } from '@stechuhr/local-infra';

interface Outcome {
  readonly code: number;
  readonly messages: readonly string[];
}

/** Runs the fixture, sends the signal once it is ready, and waits for its end. */
async function run(how: string, signal: NodeJS.Signals = 'SIGTERM', fixture = 'lifecycle.mjs'): Promise<Outcome> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'fixtures', fixture), ...how.split(' ')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    if (!output.includes('ready') && `${output}${chunk}`.includes('ready')) child.kill(signal);
    output += chunk;
  });
  const [code] = (await once(child, 'close')) as [number];
  const messages = output
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { msg: string }).msg);
  return { code, messages };
}

describe('runService', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('stops in order on %s and ends with 0', async (signal) => {
    expect(await run('stops', signal)).toEqual({ code: 0, messages: ['ready', 'stopping', 'last words', 'stopped'] });
  });

  it('ends with 0 when the service has stopped, even if it left something open', async () => {
    expect(await run('leaves a connection open')).toEqual({ code: 0, messages: ['ready', 'stopping', 'last words', 'stopped'] });
  });

  it.each<[string, NodeJS.Signals, Outcome]>([
    ['prepare', 'SIGCONT', { code: 0, messages: ['ready', 'prepared'] }],
    ['prepare and fail', 'SIGCONT', { code: 1, messages: ['ready', 'the service failed', 'did not stop in time'] }],
    ['prepare and hang', 'SIGTERM', { code: 1, messages: ['ready', 'did not stop in time'] }],
  ])('%s: does not start the service, and ends when prepared or at a signal', async (how, signal, outcome) => {
    expect(await run(how, signal)).toEqual(outcome);
  });

  it('ends with 78 and one line when its environment is invalid, even if something is already running', async () => {
    expect(await run('has an invalid environment')).toEqual({ code: 78, messages: ['the configuration is not valid'] });
  });

  it('ends with 1 and the reason when the service cannot start, even if something is still running', async () => {
    expect(await run('fails to start')).toMatchObject({ code: 1, messages: ['the service failed', 'did not stop in time'] });
  });

  it('ends with 1 and the reason on an uncaught error', async () => {
    const { code, messages } = await run('leaves a rejection unhandled', 'SIGCONT');
    expect([code, messages.at(-1)]).toEqual([1, 'uncaught error']);
  });

  it.each([
    ['drains without end', ['ready', 'stopping', 'did not stop in time']],
    ['drains, then hangs', ['ready', 'stopping', 'drained', 'did not stop in time']],
  ])('%s: ends with 1; stopping after the drain has its own time limit', async (how, messages) => {
    expect(await run(how)).toEqual({ code: 1, messages });
  });

  // An outgoing connection could get one of these ports as its own, and the service could not listen on it any more.
  it('holds the ports of the service until its servers listen', async () => {
    const ports = await Promise.all([freePort(), freePort(), freePort()]);
    const { code, messages } = await run(ports.join(' '), 'SIGTERM', 'listens.mjs');
    expect({ code, messages: messages.filter((message) => !message.startsWith('no descriptions')) }).toEqual({
      code: 0,
      messages: ['EADDRINUSE', 'EADDRINUSE', 'EADDRINUSE', 'ready', 'stopping', 'stopped'],
    });
  });

  it('ends with 1 when the service cannot stop', async () => {
    expect(await run('fails to stop')).toMatchObject({
      code: 1,
      messages: ['ready', 'stopping', 'the service failed', 'did not stop in time'],
    });
  });
});
