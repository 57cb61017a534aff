import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { prepareBus, SLOT_MAPPING } from '@stechuhr/bus';
import { streams } from '@stechuhr/contracts';
import { startNats } from '@stechuhr/local-infra';
import { createLogger } from '@stechuhr/service';
import { checkNats } from '../src/doctor/servers.js';

const limits = new Map(Object.values(streams).map(({ name }) => [name, { maxBytes: 32 * 1_048_576 }]));
const settings = { limits, partitions: { ingest: 2 } };

it('doctor names the line that NATS lacks if it refuses live objects', async () => {
  const home = await mkdtemp(path.join(tmpdir(), 'doctor-nats-'));
  let nats = await startNats({ home, own: true, configuration: SLOT_MAPPING });
  const findings = async () => (await checkNats(nats.address)).filter(({ name }) => name === 'live objects');
  try {
    await prepareBus({ servers: nats.address, name: 'prepare', logger: createLogger('test', 'fatal'), settings });
    expect(await findings()).toMatchObject([{ state: 'ok', detail: 'are distributed over 2 streams' }]);
    await nats.stop();
    nats = await startNats({ home, own: true });
    expect(await findings()).toMatchObject([
      {
        state: 'failed',
        detail: 'are refused by NATS, which adds no slots to their subjects',
        advice: `Add this to the account of NATS, on each server: ${SLOT_MAPPING}`,
      },
    ]);
  } finally {
    await nats.stop();
    await rm(home, { recursive: true });
  }
});
