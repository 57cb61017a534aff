import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ASSUMED, planFor, DEFAULT_DEMAND, type Demand } from './plan.js';
import { costsOf, SERVICES, WORK, type ServiceName, type UnitCosts, type Work } from './unit-costs.js';

const each = <K extends string, V>(names: readonly K[], value: V) => Object.fromEntries(names.map((name) => [name, value])) as Record<K, V>;
const nothing = each(WORK, each(SERVICES, 0));
const costs = (cpuUs: Partial<Record<Work, Partial<Record<ServiceName, number>>>>): UnitCosts => ({
  measured: 'by hand',
  cpuUs: Object.fromEntries(WORK.map((work) => [work, { ...nothing[work], ...cpuUs[work] }])) as UnitCosts['cpuUs'],
  peakMb: each(SERVICES, 256),
  bytes: { month: 4096, event: 1024 },
});

/** A million employees. */
const demand: Demand = {
  ...DEFAULT_DEMAND,
  institutions: 20_000,
  employees: 50,
  changesPerDay: 8.64,
  requestsPerDay: 17.28,
  peak: 10,
  years: 1,
};

describe('a plan', () => {
  it('is based on the rates of the busiest hour', () => {
    // 10⁶ × 8.64 × 10 / 86,400 changes; half of 17.28 requests each; 10⁶ × 150 × 10 / 2,592,000 rows.
    const { rates } = planFor({ ...demand, rowsPerMonth: 300, reviewsPerMonth: 2.592 }, costs({}));
    expect(rates.change).toBeCloseTo(1000);
    expect([rates.get, rates.list]).toEqual([1000, 1000]);
    expect(rates.exportRow).toBeCloseTo(578.7, 1);
    expect(rates.reviewedEmployee).toBeCloseTo(10);
  });

  it('gives each service enough replicas for its CPU time, and at least two', () => {
    // 1,000 changes per second of 3 ms each need three cores: five replicas at 60 %.
    const { services } = planFor(demand, costs({ change: { records: 3000 }, get: { gateway: 100 } }));
    const of = (name: ServiceName) => services.find((service) => service.name === name);
    expect(of('records')).toEqual({ name: 'records', cores: expect.closeTo(3), replicas: 5, memoryGib: 1.25 });
    expect(of('gateway')).toEqual({ name: 'gateway', cores: expect.closeTo(0.1), replicas: 2, memoryGib: 0.5 });
  });

  it('computes the shards of MongoDB from the scarcest resource', () => {
    // 2,000 writes per second need one shard, 102,000 reads need four, and 12 million months of 4 KiB (32 GiB on disk) need one.
    const { mongo } = planFor({ ...demand, rowsPerMonth: 0, reviewsPerMonth: 0 }, costs({}));
    expect(mongo).toEqual({
      readsPerSecond: expect.closeTo(102_000),
      writesPerSecond: expect.closeTo(2000),
      dataGib: expect.closeTo(32.04, 1),
      shards: 4,
    });
    expect(planFor({ ...demand, years: 10 }, costs({}), { ...ASSUMED, readsPerShard: 1e9, shardGib: 100 }).mongo.shards).toBe(4);
  });

  it('stores events for two weeks in three copies', () => {
    // 8.64 million per day × 14 × 1 KiB in two streams, each with a limit of 57.68 / 0.7 = 82.4 GiB, rounded up, of which there are three copies;
    // 20,000 × 20 subjects of 700 bytes and 1,000 × 120 ids of 150.
    const { nats } = planFor(demand, costs({}));
    expect(nats).toEqual({
      messagesPerSecond: expect.closeTo(2000),
      eventsGib: expect.closeTo(115.35, 1),
      storageGib: 498,
      partitions: 2,
      livePartitions: 1,
      maxBytesGib: 83,
      isTooLarge: false,
      memoryGib: expect.closeTo(0.278, 3),
    });
  });
});

describe('the events of a plan', () => {
  it('leave their streams below the size at which an alert fires', () => {
    const alerts = readFileSync(new URL('../../../helm/stechuhr/files/alerts.yaml', import.meta.url), 'utf8');
    const limit = Number(/stechuhr_bus_stream_fill\) > ([\d.]+)$/m.exec(alerts)?.[1]);
    for (const institutions of [10, 1_000, 20_000, 100_000]) {
      const { eventsGib, partitions, maxBytesGib } = planFor({ ...demand, institutions }, costs({})).nats;
      expect(eventsGib / partitions / maxBytesGib).toBeLessThan(limit);
    }
  });

  // 20,000 institutions have 115.35 GiB. The number of partitions is a power of two and at most sixteen.
  it.each([
    [1_000, 1],
    [17_000, 1],
    [18_000, 2],
    [40_000, 4],
    [100_000, 8],
    [200_000, 16],
    [2_000_000, 16],
  ])('of %i institutions are stored in %i streams', (institutions, partitions) => {
    expect(planFor({ ...demand, institutions }, costs({})).nats.partitions).toBe(partitions);
  });

  // 20,000 institutions send 1,000 live objects a second at the peak, and a stream takes 1,200.
  it.each([
    [20_000, 1],
    [25_000, 2],
    [50_000, 4],
    [100_000, 8],
    [2_000_000, 16],
  ])('and the live objects of %i institutions in %i', (institutions, livePartitions) => {
    expect(planFor({ ...demand, institutions }, costs({})).nats.livePartitions).toBe(livePartitions);
  });

  // 16 streams of 100 GiB hold the events of 277,400 institutions.
  it.each([
    [277_000, false],
    [278_000, true],
  ])('of %i institutions need larger streams than there should be: %p', (institutions, isTooLarge) => {
    expect(planFor({ ...demand, institutions }, costs({})).nats).toMatchObject({ partitions: 16, isTooLarge });
  });
});

describe('unit costs', () => {
  it('are the medians of the measured CPU times per unit, minus the CPU time of idle services', () => {
    const run = (recordsCpuMs: number) => ({ units: 1000, wallMs: 500, recordsCpuMs, recordsRssMb: 100 + recordsCpuMs });
    // Idle services use 1 % of a core, which is 5 ms of the half second.
    const idle = [{ wallMs: 1000, recordsCpuMs: 10 }];
    const others = Object.fromEntries(['get', 'list', 'export', 'background', 'review'].map((name) => [name, [run(5)]]));
    const runs = { ...others, idle, change: [run(10), run(30), run(20)], stored: [{ monthBytes: 4000.4, eventBytes: 900 }] };
    const read = costsOf([{ case: { name: 'unit-costs' }, notes: ['a machine'], runs }]);
    expect(read.cpuUs.change.records).toBe(15);
    expect(read.peakMb.records).toBe(130);
    expect([read.bytes, read.measured]).toEqual([{ month: 4000, event: 900 }, 'a machine']);
  });

  it('are rejected if the case or a variant was not measured', () => {
    expect(() => costsOf([])).toThrow('unit-costs');
    expect(() => costsOf([{ case: { name: 'unit-costs' }, notes: [], runs: { idle: [] } }])).toThrow('no variant "get"');
  });
});
