import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  allStreams,
  isPartitionCount,
  layoutOf,
  byPartitioned,
  metadataOf,
  MOST_PARTITIONS,
  ONE_PARTITION,
  partitionedStreams,
  SLOTS,
  slotOf,
  slotsOf,
  subscriptionsOf,
} from './partitions.js';
import { subscriptions } from './subscriptions.js';

const A = '0b2f7f1e-6f0a-4c0e-9a55-0d9c5b1d2e3f';
const partitions = fc.constantFrom(1, 2, 4, 8, 16);
const { events, handovers, ingest } = partitionedStreams;
const one = byPartitioned(() => ONE_PARTITION);

describe('the slot of an institution', () => {
  // The first three values are from the authors of FNV-1a; the last six bits of the hash are the slot. They must never change: with a new
  // version, events of an institution would move to another partition.
  it.each([
    ['', 0x811c9dc5, 5],
    ['a', 0xe40c292c, 44],
    ['foobar', 0xbf9cf968, 40],
    [A, 0xf4053441, 1],
    ['7d9b0c52-6d0c-4a77-8a0e-5f4ac1f2f6b1', 0xa003d406, 6],
    ['00000000-0000-4000-8000-000000000001', 0xcf703da2, 34],
    ['11111111-1111-4111-8111-11111111111a', 0x012427b3, 51],
    ['Ä', 0x399e1342, 2],
  ])('of "%s" is the last six bits of %i: %i', (id, hash, slot) => {
    expect([slotOf(id), hash % 64]).toEqual([slot, slot]);
  });

  it('is part of the subjects of events, hand-overs and live objects, but not of other subjects', () => {
    expect(events.slotSubject(`stechuhr.events.${A}.records.employee.changed`)).toBe(`stechuhr.slots.1.${A}.records.employee.changed`);
    expect(ingest.slotSubject(`stechuhr.ingest.${A}.employee`)).toBe(`stechuhr.ingest-slots.1.${A}.employee`);
    expect(handovers.slotSubject(`stechuhr.handovers.${A}.review_settings`)).toBe(`stechuhr.handover-slots.1.${A}.review_settings`);
    for (const one of [events, handovers, ingest]) expect(one.slotSubject(`stechuhr.deletions.${A}.reviews.employee`)).toBeUndefined();
  });

  it('has about as many institutions as every other slot', () => {
    const counts = new Map<number, number>();
    for (let n = 0; n < 64_000; n++) {
      // Ids created in sequence are similar.
      const slot = slotOf(`0197a000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`);
      counts.set(slot, (counts.get(slot) ?? 0) + 1);
    }
    expect([counts.size, Math.min(...counts.values()) > 900, Math.max(...counts.values()) < 1_100]).toEqual([64, true, true]);
  });
});

describe('partitions', () => {
  it('share all slots equally', () => {
    fc.assert(
      fc.property(partitions, (count) => {
        const shares = Array.from({ length: count }, (_, partition) => slotsOf(partition, count));
        expect(shares.map(({ length }) => length)).toEqual(shares.map(() => SLOTS / count));
        expect(shares.flat().sort((a, b) => a - b)).toEqual(slotsOf(0, 1));
      }),
    );
  });

  it('move half of their slots to a new partition each when their number is doubled', () => {
    fc.assert(
      fc.property(fc.constantFrom(1, 2, 4, 8), (count) => {
        for (let partition = 0; partition < count; partition++)
          expect([...slotsOf(partition, 2 * count), ...slotsOf(partition + count, 2 * count)].sort((a, b) => a - b)).toEqual(
            slotsOf(partition, count),
          );
      }),
    );
  });

  it('are a power of two', () => {
    const some = [-1, 0, 0.5, 1, 2, 3, 4, 6, 8, 12, 16, 32, 64, Number.NaN];
    expect(some.filter(isPartitionCount)).toEqual([1, 2, 4, 8, 16]);
    expect(MOST_PARTITIONS).toBe(16);
  });

  it('have the subjects of their slots, the first also events without a slot', () => {
    expect(events.subjects(0, [])).toEqual(['stechuhr.events.>']);
    expect(events.subjects(0, [0, 32])).toEqual(['stechuhr.events.>', 'stechuhr.slots.0.>', 'stechuhr.slots.32.>']);
    expect(events.subjects(3, [3])).toEqual(['stechuhr.slots.3.>']);
    // A stream without subjects would use its own name as subject.
    expect(events.subjects(3, [])).toEqual(['stechuhr.slots.none.3']);
  });

  it('take live objects without a slot only if there is one, and otherwise only those without an institution', () => {
    expect(ingest.subjects(0, slotsOf(0, 1))).toEqual([
      'stechuhr.ingest.>',
      ...slotsOf(0, 1).map((slot) => `stechuhr.ingest-slots.${slot}.>`),
    ]);
    expect(ingest.subjects(0, [0, 32])).toEqual(['stechuhr.ingest.*', 'stechuhr.ingest-slots.0.>', 'stechuhr.ingest-slots.32.>']);
    expect(ingest.subjects(1, [1])).toEqual(['stechuhr.ingest-slots.1.>']);
  });

  it.each([events, handovers, ingest])('are known by their subjects', (partitioned) => {
    for (const slots of [[], [3], [0, 63], slotsOf(0, 1)]) {
      expect(partitioned.slotsAmong(partitioned.subjects(0, slots))).toEqual(slots);
      expect(partitioned.slotsAmong(partitioned.subjects(3, slots))).toEqual(slots);
    }
    expect(events.slotsAmong(ingest.subjects(0, [3]))).toEqual([]);
  });

  it('can become fewer, except where sequences order the writes', () => {
    expect([events, handovers, ingest].map(({ onlyGrows }) => onlyGrows)).toEqual([false, false, true]);
  });

  it('are read from the metadata of the first stream, or undefined if it is invalid', () => {
    for (const layout of [
      { partitions: 1, streams: 4 },
      { partitions: 16, streams: 16 },
    ])
      expect(layoutOf({ '_nats.ver': '2.12.8', ...metadataOf(layout) })).toEqual(layout);
    expect([undefined, {}, { 'stechuhr.partitions': '3', 'stechuhr.streams': '3' }].map(layoutOf)).toEqual(Array(3).fill(undefined));
    expect(layoutOf({ 'stechuhr.partitions': '4', 'stechuhr.streams': '1' })).toEqual({ partitions: 4, streams: 4 });
  });
});

describe('the streams and consumers of the platform', () => {
  it('are those of the catalogue without partitions', () => {
    expect(allStreams(one)).toEqual([
      'STECHUHR_EVENTS',
      'STECHUHR_JOBS',
      'STECHUHR_HANDOVERS',
      'STECHUHR_DELETIONS',
      'STECHUHR_INGEST',
      'STECHUHR_DEAD',
    ]);
    expect(subscriptionsOf(one)).toEqual(subscriptions);
  });

  it('multiply with partitions: consumers exist in each of them, except those of version 0.2', () => {
    const two = { partitions: 2, streams: 2 };
    const layouts = { events: { partitions: 2, streams: 3 }, handovers: two, ingest: two };
    expect(allStreams(layouts)).toEqual([
      ...['STECHUHR_EVENTS', 'STECHUHR_EVENTS_1', 'STECHUHR_EVENTS_2', 'STECHUHR_JOBS', 'STECHUHR_HANDOVERS'],
      ...['STECHUHR_HANDOVERS_1', 'STECHUHR_DELETIONS', 'STECHUHR_INGEST', 'STECHUHR_INGEST_1', 'STECHUHR_DEAD'],
    ]);
    const further = subscriptionsOf(layouts).filter((line) => !subscriptions.includes(line));
    expect(further.map(({ stream, durable }) => `${stream} ${durable}`).toSorted()).toEqual([
      ...['STECHUHR_EVENTS_1', 'STECHUHR_EVENTS_2'].flatMap((stream) =>
        ['absence-rules-rule-written', 'reviews-suppression-written', 'webhooks-events'].map((durable) => `${stream} ${durable}`),
      ),
      ...['daily-reports-entries', 'daily-reports-forms', 'daily-reports-statuses', 'reviews-settings'].map(
        (durable) => `STECHUHR_HANDOVERS_1 ${durable}`,
      ),
      'STECHUHR_INGEST_1 records',
    ]);
  });
});
