import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startWebhookReceiver, type WebhookReceiver } from '@stechuhr/testing';
import { createTargets } from './target.js';

const MIB = 1_048_576;

let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
});
afterAll(() => receiver.stop());

describe('requests to targets with an authority of our own', () => {
  it('hold no authorities each: hundreds fit into memory', async () => {
    const send = createTargets({ allowedHosts: ['localhost'], authority: readFileSync(receiver.caFile, 'utf8') });
    const one = () => send({ url: `${receiver.origin}/memory`, headers: {}, body: '{}' });
    await one();
    const before = process.memoryUsage.rss();
    for (let turn = 0; turn < 75; turn += 1) {
      expect(await Promise.all([one(), one(), one(), one()])).toContainEqual(expect.objectContaining({ status: 204 }));
    }
    expect((process.memoryUsage.rss() - before) / MIB).toBeLessThan(150);
  });

  it('are refused without it', async () => {
    const send = createTargets({ allowedHosts: ['localhost'], authority: undefined });
    expect(await send({ url: `${receiver.origin}/refused`, headers: {}, body: '{}' })).toEqual({ status: null, problem: 'tls' });
    expect(receiver.at('/refused')).toEqual([]);
  });
});
