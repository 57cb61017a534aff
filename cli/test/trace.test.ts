import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildInstitution, startOtlpReceiver, toNdjson, watchSubjects, type OtlpReceiver } from '@stechuhr/testing';
import { startRecords, type RunningRecords } from './support/records.js';
import { stechuhr } from './support/stechuhr.js';

const PRELOAD = ['--import', '@stechuhr/service/telemetry'];
let receiver: OtlpReceiver;
let records: RunningRecords;

beforeAll(async () => {
  receiver = await startOtlpReceiver();
  records = await startRecords(receiver.environment, PRELOAD);
});
afterAll(async () => {
  await records.stop();
  await receiver.stop();
});

describe('the trace of an import', () => {
  it('leads from the command over gRPC to the event on the bus', async () => {
    const institution = buildInstitution();
    const watch = await watchSubjects(records.servers.natsUrl, `stechuhr.events.${institution.id}.>`);
    const env = { ...records.env, ...receiver.environment };
    const { exitCode } = await stechuhr(['import', '-'], { env, input: toNdjson([institution]), nodeOptions: PRELOAD });
    expect(exitCode).toBe(0);
    const root = await receiver.next(({ name }) => name === 'stechuhr import');
    expect({ service: root.service, parent: root.parentSpanId ?? '' }).toEqual({ service: 'cli', parent: '' });
    const client = await receiver.next(({ parentSpanId, service }) => service === 'cli' && parentSpanId === root.spanId);
    expect(client.traceId).toBe(root.traceId);
    const served = await receiver.next(({ parentSpanId, service }) => service === 'records' && parentSpanId === client.spanId);
    expect(served).toMatchObject({ traceId: root.traceId, name: expect.stringContaining('Import') });
    const { text } = await watch.next(({ subject }) => subject.endsWith('.institution.changed'));
    expect(JSON.parse(text).traceparent.split('-')[1]).toBe(root.traceId);
    await watch.stop();
  });
});
