import { describe, expect, it } from '@jest/globals';
import { History, type Kind, type Write } from './history.js';
import type { ReceivedEvent } from './judge-webhooks.js';
import { judge, type Stored, type StoredRecord, type TappedEvent, type Verdict } from './judge.js';

const NOTHING: Readonly<Record<Kind, readonly StoredRecord[]>> = {
  employee: [],
  project: [],
  rule: [],
  suppression: [],
  task: [],
  autofill: [],
  photo: [],
};

const created = (fields: Partial<Write> = {}): Write => ({
  ...{ kind: 'rule', key: 'a', value: '1.00', outcome: 'acknowledged', id: 'r1' },
  ...fields,
});
const deleted = (fields: Partial<Write> = {}): Write => created({ value: null, ...fields });
const event = (id: string, type = 'absence-rules.rule.created', subject = 'r1'): TappedEvent => ({
  id,
  institutionId: 'firm',
  type,
  subject,
});
const there: StoredRecord = { key: 'a', value: '1.00', id: 'r1' };
const GONE = 'absence-rules.rule.deleted';

interface Given {
  readonly writes?: readonly Write[];
  readonly rules?: readonly StoredRecord[];
  readonly events?: readonly TappedEvent[];
  readonly remains?: readonly string[];
  readonly statuses?: readonly number[];
}

/** Evaluates a correct platform with the given deviations. */
function judged({ writes = [created()], rules = [there], events = [event('1')], remains = [], statuses = [] }: Given = {}): Verdict {
  const history = new History();
  history.writes.push(...writes);
  history.answers.push(...statuses.map((status) => ({ client: 'rules', status, ms: 1 })));
  return judge(history, { ...WITHOUT_WEBHOOKS, records: { ...NOTHING, rule: rules }, events, remains });
}

/** A state without webhooks. */
const WITHOUT_WEBHOOKS: Stored = { records: NOTHING, events: [], subscribers: [], received: [], remains: [] };

type Finding = 'lost' | 'doubled' | 'leftBehind' | 'wrong';

const clean = { lost: [], doubled: [], leftBehind: [], wrong: [] };

describe('a platform passes if it', () => {
  it.each<[string, Given]>([
    ['keeps a record and has published its event', {}],
    ['has published an event twice with the same id', { events: [event('1'), event('1')] }],
    ['has deleted a record', { writes: [created(), deleted()], rules: [], events: [event('1'), event('2', GONE)] }],
    ['did not execute a refused write', { writes: [created({ outcome: 'refused', id: undefined })], rules: [], events: [] }],
    ['executed a write with an unknown outcome', { writes: [created({ outcome: 'unknown', id: undefined })] }],
    [
      'did not execute a write with an unknown outcome',
      { writes: [created({ outcome: 'unknown', id: undefined })], rules: [], events: [] },
    ],
    [
      'executed a deletion with an unknown outcome',
      { writes: [created(), deleted({ outcome: 'unknown' })], events: [event('1'), event('2', GONE)], rules: [] },
    ],
    ['reports that it is unavailable', { statuses: [200, 503, 504, 0] }],
  ])('%s', (_, given) => {
    expect(judged(given)).toMatchObject(clean);
  });

  it('is evaluated with counts of acknowledged writes and stored records', () => {
    expect(judged({ writes: [created(), created({ outcome: 'unknown' })] })).toMatchObject({ acknowledged: 1, stored: 1 });
  });
});

describe('a planted bug is found:', () => {
  it.each<[string, Finding, Given]>([
    ['a lost write', 'lost', { rules: [] }],
    ['an older value', 'lost', { writes: [created(), created({ value: '2.50' })] }],
    ['a value that was never written', 'lost', { rules: [{ ...there, value: '9.99' }] }],
    ['a deletion that was not executed', 'lost', { writes: [created(), deleted()], events: [event('1'), event('2', GONE)] }],
    ['no event', 'lost', { events: [] }],
    ['a missing event of a deletion', 'lost', { writes: [created(), deleted()], rules: [] }],
    ['an event of another type', 'lost', { events: [event('1', 'absence-rules.rule.updated')] }],
    ['a record twice', 'doubled', { rules: [there, { ...there, id: 'r2' }] }],
    ['two events for one creation', 'doubled', { events: [event('1'), event('2')] }],
    [
      'two events for one deletion',
      'doubled',
      { writes: [created(), deleted()], rules: [], events: [event('1'), ...['2', '3'].map((id) => event(id, GONE))] },
    ],
    ['a leftover', 'leftBehind', { remains: ['file exports/x of no task'] }],
    ['a refused write that was executed', 'wrong', { writes: [created({ outcome: 'refused' })], events: [] }],
    ['a record that nobody wrote', 'wrong', { rules: [there, { key: 'b', value: '1.00', id: 'r2' }] }],
    ['a response with status 500', 'wrong', { statuses: [500] }],
  ])('%s', (_, finding, given) => {
    const verdict = judged(given);
    expect(verdict[finding]).not.toEqual([]);
    expect({ ...verdict, [finding]: [] }).toMatchObject(clean);
  });
});

it('live objects that were deleted before they were created need no events', () => {
  const history = new History();
  const employee = { kind: 'employee', key: 'e', id: 'e' } as const;
  history.writes.push(created({ ...employee, value: 'Kim' }), deleted(employee));
  expect(judge(history, WITHOUT_WEBHOOKS)).toMatchObject(clean);
  const half = [event('1', 'records.employee.changed', 'e')];
  expect(judge(history, { ...WITHOUT_WEBHOOKS, events: half }).lost).toHaveLength(1);
});

describe('webhooks', () => {
  const events = [event('1'), { ...event('2'), institutionId: 'neighbour' }];
  const request = (fields: Partial<ReceivedEvent> = {}): ReceivedEvent => ({
    ...{ receiver: 'firm', id: '1', type: 'absence-rules.rule.created', institutionId: 'firm', body: '{}', isGenuine: true },
    ...fields,
  });
  const judged = (received: readonly ReceivedEvent[]): Verdict =>
    judge(new History(), { ...WITHOUT_WEBHOOKS, events, subscribers: ['firm'], received });

  it('may be delivered twice, and only to subscribers', () => {
    expect(judged([request(), request()])).toMatchObject(clean);
  });

  it('may contain events that were published before the scenario', () => {
    const received = [request(), request({ id: '0' })];
    const stored = { ...WITHOUT_WEBHOOKS, events, earlier: [event('0')], subscribers: ['firm'], received };
    expect(judge(new History(), stored)).toMatchObject(clean);
  });

  it.each<[string, Finding, readonly ReceivedEvent[]]>([
    ['that was not delivered', 'lost', []],
    ['that was delivered to another institution', 'lost', [request({ receiver: 'neighbour', institutionId: 'neighbour' })]],
    ['with a wrong signature', 'wrong', [request({ isGenuine: false })]],
    ['of another institution', 'wrong', [request(), request({ id: '2', institutionId: 'neighbour' })]],
    ['that was never published', 'wrong', [request(), request({ id: '3' })]],
    ['of another type than was published', 'wrong', [request({ type: 'absence-rules.rule.deleted' })]],
    ['with another body at its second attempt', 'wrong', [request(), request({ body: '{"data":1}' })]],
  ])('a request %s is found', (_, finding, received) => {
    const verdict = judged(received);
    expect(verdict[finding]).toHaveLength(1);
    expect({ ...verdict, [finding]: [] }).toMatchObject(clean);
  });
});
