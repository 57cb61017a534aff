import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@stechuhr/kernel';
import { createLogger } from '@stechuhr/service';
import { openTcpGate, testServers, type TestServers } from '@stechuhr/testing';
import { readConfig } from '../src/config.js';
import { createRecordsService } from '../src/service.js';

let servers: TestServers;

beforeAll(async () => {
  servers = await testServers();
});
afterAll(() => servers.stop());

describe('a start', () => {
  it('completes even if MongoDB hangs during the first maintenance', async () => {
    const { host, searchParams } = new URL(servers.mongodbUrl);
    const gate = await openTcpGate(host);
    const config = readConfig({
      MONGODB_URL: `mongodb://${gate.address}/?${new URLSearchParams({ ...Object.fromEntries(searchParams), directConnection: 'true' })}`,
      MONGODB_DATABASE: servers.database('records'),
      NATS_URL: servers.natsUrl,
      REDIS_URL: servers.redisUrl,
    });
    const said: string[] = [];
    const logger = createLogger('records', 'fatal');
    logger.warn = (_fields: unknown, message?: string) => {
      said.push(message ?? '');
      gate.release();
    };
    let isHeld = false;
    // Removing expired markers is the first step for which the service reads the clock.
    const clock = {
      now() {
        if (!isHeld) gate.hold('answers');
        isHeld = true;
        return systemClock.now();
      },
    };
    const service = await createRecordsService(config, logger, { clock });
    expect(said).toContain('maintenance failed');
    await service.stop();
    await gate.stop();
  });
});
