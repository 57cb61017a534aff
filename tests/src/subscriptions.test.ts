import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { streams, subscriptions } from '@stechuhr/contracts';
import { waitFor } from '@stechuhr/testing';
import { startTestPlatform, type TestPlatform } from './support/platform.js';

let platform: TestPlatform;

beforeAll(async () => {
  platform = await startTestPlatform({}, ['tasks', 'worker', 'daily-reports']);
}, 60_000);

afterAll(() => platform.stop());

it('the services consume what the table of subscriptions says, and nothing else', async () => {
  const connection = await connect({ servers: platform.infra.natsUrl });
  const manager = await jetstreamManager(connection);
  const wanted = subscriptions.map(({ stream, durable, filterSubject }) => `${stream} ${durable} ${filterSubject}`).sort();
  const found = async (): Promise<string[]> => {
    const lines: string[] = [];
    for (const { name } of Object.values(streams)) {
      for await (const { config } of manager.consumers.list(name)) lines.push(`${name} ${config.durable_name} ${config.filter_subject}`);
    }
    return lines.sort();
  };
  // A service is ready before its consumers exist.
  await waitFor(async () => (await found()).length >= wanted.length || undefined);
  expect(await found()).toEqual(wanted);
  await connection.close();
});
