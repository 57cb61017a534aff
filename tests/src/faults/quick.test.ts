import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstream } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { createEvent, subjectOf } from '@stechuhr/bus';
import { openCampaign, type Campaign, type Round } from './campaign.js';
import { clients } from './clients/index.js';
import type { Verdict } from './judge.js';
import { scenarios } from './scenarios/index.js';
import { measures, type MeasureName } from './soak/measures.js';
import { openObserver, type Observer } from './soak/observer.js';
import { SERVICES, type Stage } from './stage.js';

/**
 * All clients except autofill: an interrupted autofill is completed only after a minute, which is too long for this test. They rest longer than in the
 * campaign, because other test files run beside it; each is still served between two faults.
 */
const PACE = { clients: clients.map(({ name }) => name).filter((name) => name !== 'autofill'), rest: 4 };

let campaign: Campaign;
let round: Round;
beforeAll(async () => {
  campaign = await openCampaign(2);
  round = await campaign.begin(PACE);
});
afterAll(() => campaign.close());

const CLEAN = { lost: [], doubled: [], leftBehind: [], wrong: [] };

describe('while clients work', () => {
  it.each(scenarios.filter(({ isQuick }) => isQuick === true).map((scenario) => [scenario.name, scenario] as const))(
    'the platform survives %s',
    async (_, scenario) => {
      await round.strike(scenario);
      await round.load.mostServed();
    },
  );

  it('nothing is lost, doubled, left behind or wrong', async () => {
    await round.load.served();
    expect(await round.judge()).toMatchObject(CLEAN);
  });
});

describe('a soak measures', () => {
  let observer: Observer;

  beforeAll(async () => {
    observer = openObserver(campaign.stage, campaign.servers);
    await observer.underLoad(1, new AbortController().signal);
    await observer.atRest();
  });
  afterAll(() => observer.close());

  const valuesOf = (measure: MeasureName): Readonly<Record<string, number | undefined>> =>
    Object.fromEntries(observer.series.filter((one) => one.measure === measure).map(({ of, samples }) => [of, samples[0]?.value]));

  it('everything that must not grow', () => {
    expect([...new Set(observer.series.map(({ measure }) => measure))].sort()).toEqual(Object.keys(measures).sort());
  });

  it.each(['resident', 'native', 'heap', 'files', 'delay'] as const)('%s of every service', (measure) => {
    expect(valuesOf(measure)).toEqual(Object.fromEntries(SERVICES.map((service) => [service, expect.any(Number)])));
    for (const value of Object.values(valuesOf(measure))) expect(value).toBeGreaterThan(0);
  });

  it('the age of each process', () => {
    const ages = observer.series.filter(({ measure }) => measure === 'heap').map(({ samples }) => samples[0]?.ageMs ?? 0);
    expect(Math.min(...ages)).toBeGreaterThan(1_000);
    expect(Math.max(...ages)).toBeLessThan(performance.now());
  });
});

/** Sends a webhook with an invalid signature to the receiver of the firm. */
async function sendForged({ receiver }: Stage): Promise<void> {
  const headers = { 'webhook-id': 'forged', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AAAA' };
  const sent = request(`${receiver.origin}/firm/0`, { method: 'POST', headers, ca: readFileSync(receiver.caFile) });
  sent.end(JSON.stringify({ type: 'records.employee.changed', institution_id: 'another' }));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
}

describe('the checker finds defects that are planted in the servers:', () => {
  let verdict: Verdict;

  beforeAll(async () => {
    const { stage, servers } = campaign;
    const second = await campaign.begin(PACE);
    await second.load.stop();
    const { history } = second.load;
    const collections = await servers.collections();
    const rule = history.writes.find(({ kind, key, value }) => kind === 'rule' && value !== null && key.endsWith('-1'));
    await collections.get('absence_rules.absence_rules')?.deleteOne({ label: rule?.key });
    const person = history.deletedPeople[0]?.word ?? '';
    await collections.get('records.projects')?.insertOne({ deleted_at: new Date(), outbox: [], name: person });
    await servers.s3.putObject(servers.bucket, 'exports/nobody/nothing/1.csv', 'orphaned');
    await servers.manager.consumers.add('STECHUHR_EVENTS', { durable_name: 'forgotten' });
    const connection = await connect({ servers: stage.infra.natsUrl });
    const suppression = history.writes.find(({ kind }) => kind === 'suppression');
    const twice = createEvent({
      type: 'reviews.suppression.created',
      institutionId: randomUUID(),
      data: { id: suppression?.id ?? '' },
      clock: { now: Date.now },
    });
    await jetstream(connection).publish(subjectOf(twice), JSON.stringify(twice));
    await connection.close();
    await sendForged(stage);
    verdict = await second.judge();
  });

  it('a lost record', () => {
    expect(verdict.lost).toEqual([expect.stringMatching(/^rule Slot2x-1: nothing instead of 1.00$/)]);
  });

  it('two events for the same change', () => {
    expect(verdict.doubled).toEqual([expect.stringContaining('2 events reviews.suppression.created')]);
  });

  it('a forged webhook', () => {
    const [id, type] = ['forged', 'records.employee.changed'];
    const requests = ['with a wrong signature', 'of another institution', 'that was never published'];
    expect(verdict.wrong).toEqual(requests.map((what) => `webhook: a request ${what}: ${type} ${id}`));
  });

  it('a half-deleted document, the name of a deleted employee, a file without a task and a forgotten consumer', () => {
    expect([...verdict.leftBehind].sort()).toEqual([
      expect.stringMatching(/^1 half-deleted documents in records.projects$/),
      expect.stringMatching(/^Slot2xGone\d+, who was deleted, in records.projects$/),
      'consumer STECHUHR_EVENTS forgotten',
      'file exports/nobody/nothing/1.csv of no task',
    ]);
  });
});
