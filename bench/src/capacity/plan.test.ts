import { describe, expect, it } from '@jest/globals';
import { ASSUMED, planFor, USUAL, type Demand } from './plan.js';
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
const demand: Demand = { ...USUAL, institutions: 20_000, employees: 50, changesPerDay: 8.64, requestsPerDay: 17.28, peak: 10, years: 1 };

describe('a plan', () => {
  it('has the rates of the busiest hour', () => {
    // 10⁶ × 8.64 × 10 / 86,400 changes; half of 17.28 requests each; 10⁶ × 150 × 10 / 2,592,000 rows.
    const { rates } = planFor({ ...demand, rowsPerMonth: 300, reviewsPerMonth: 2.592 }, costs({}));
    expect(rates.change).toBeCloseTo(1000);
    expect([rates.get, rates.list]).toEqual([1000, 1000]);
    expect(rates.exportRow).toBeCloseTo(578.7, 1);
    expect(rates.reviewedEmployee).toBeCloseTo(10);
  });

  it('gives each service the replicas that its share of a core asks for, and two at least', () => {
    // 1,000 changes of 3 ms are three cores: five replicas at 60 %.
    const { services } = planFor(demand, costs({ change: { records: 3000 }, get: { gateway: 100 } }));
    const of = (name: ServiceName) => services.find((service) => service.name === name);
    expect(of('records')).toEqual({ name: 'records', cores: expect.closeTo(3), replicas: 5, memoryGib: 1.25 });
    expect(of('gateway')).toEqual({ name: 'gateway', cores: expect.closeTo(0.1), replicas: 2, memoryGib: 0.5 });
  });

  it('splits MongoDB by whatever is scarce first', () => {
    // 2,000 writes a second are one shard, 101,000 reads are four; 12 million months of 4 KiB, 32 GiB on disk, are one.
    const { mongo } = planFor({ ...demand, rowsPerMonth: 0, reviewsPerMonth: 0 }, costs({}));
    expect(mongo).toEqual({
      readsPerSecond: expect.closeTo(102_000),
      writesPerSecond: expect.closeTo(2000),
      dataGib: expect.closeTo(32.04, 1),
      shards: 4,
    });
    expect(planFor({ ...demand, years: 10 }, costs({}), { ...ASSUMED, readsPerShard: 1e9, shardGib: 100 }).mongo.shards).toBe(4);
  });

  it('keeps events for two weeks, three times', () => {
    // 8.64 million a day × 14 × 3 × 1 KiB; 20,000 × 20 subjects of 700 bytes and 1,000 × 120 ids of 150.
    const { nats } = planFor(demand, costs({}));
    expect(nats).toEqual({
      messagesPerSecond: expect.closeTo(2000),
      storageGib: expect.closeTo(346.06, 1),
      eventsGib: expect.closeTo(115.35, 1),
      partitions: 2,
      partitionGib: expect.closeTo(57.68, 1),
      memoryGib: expect.closeTo(0.278, 3),
    });
  });
});

describe('the events of a plan', () => {
  // 115.35 GiB with 20,000 institutions; partitions are a power of two, and there are no more than sixteen.
  it.each([
    [1_000, 1],
    [17_000, 1],
    [18_000, 2],
    [40_000, 4],
    [100_000, 8],
    [200_000, 16],
    [2_000_000, 16],
  ])('of %i institutions are in %i streams', (institutions, partitions) => {
    expect(planFor({ ...demand, institutions }, costs({})).nats.partitions).toBe(partitions);
  });
});

describe('unit costs', () => {
  it('are medians of what the bench measured, by unit, without what is needed anyway', () => {
    const run = (recordsCpuMs: number) => ({ units: 1000, wallMs: 500, recordsCpuMs, recordsRssMb: 100 + recordsCpuMs });
    // 1 % of a core without any work: 5 ms of the half second.
    const idle = [{ wallMs: 1000, recordsCpuMs: 10 }];
    const others = Object.fromEntries(['get', 'list', 'export', 'background', 'review'].map((name) => [name, [run(5)]]));
    const runs = { ...others, idle, change: [run(10), run(30), run(20)], stored: [{ monthBytes: 4000.4, eventBytes: 900 }] };
    const read = costsOf([{ case: { name: 'unit-costs' }, notes: ['a machine'], runs }]);
    expect(read.cpuUs.change.records).toBe(15);
    expect(read.peakMb.records).toBe(130);
    expect([read.bytes, read.measured]).toEqual([{ month: 4000, event: 900 }, 'a machine']);
  });

  it('are missing where they were not measured', () => {
    expect(() => costsOf([])).toThrow('unit-costs');
    expect(() => costsOf([{ case: { name: 'unit-costs' }, notes: [], runs: { idle: [] } }])).toThrow('no variant "get"');
  });
});
