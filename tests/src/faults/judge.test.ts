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
  ...{ kind: 'rule', key: 'a', value: '1.00', told: 'acknowledged', id: 'r1' },
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

/** A platform that did what it was told, but for what is given. */
function judged({ writes = [created()], rules = [there], events = [event('1')], remains = [], statuses = [] }: Given = {}): Verdict {
  const history = new History();
  history.writes.push(...writes);
  history.answers.push(...statuses.map((status) => ({ client: 'rules', status, ms: 1 })));
  return judge(history, { ...UNHEARD, records: { ...NOTHING, rule: rules }, events, remains });
}

/** Nobody gets webhooks. */
const UNHEARD: Stored = { records: NOTHING, events: [], subscribers: [], received: [], remains: [] };

type Finding = 'lost' | 'doubled' | 'leftBehind' | 'wrong';

const clean = { lost: [], doubled: [], leftBehind: [], wrong: [] };

describe('a platform that did what it said', () => {
  it.each<[string, Given]>([
    ['keeps a record and has told of it', {}],
    ['has told of it twice under one id', { events: [event('1'), event('1')] }],
    ['has deleted it', { writes: [created(), deleted()], rules: [], events: [event('1'), event('2', GONE)] }],
    ['did not do what it refused', { writes: [created({ told: 'refused', id: undefined })], rules: [], events: [] }],
    ['did what nobody knows', { writes: [created({ told: 'unknown', id: undefined })] }],
    ['did not do what nobody knows', { writes: [created({ told: 'unknown', id: undefined })], rules: [], events: [] }],
    ['may have deleted it', { writes: [created(), deleted({ told: 'unknown' })], events: [event('1'), event('2', GONE)], rules: [] }],
    ['says when it is unavailable', { statuses: [200, 503, 504, 0] }],
  ])('%s', (_, given) => {
    expect(judged(given)).toMatchObject(clean);
  });

  it('is counted', () => {
    expect(judged({ writes: [created(), created({ told: 'unknown' })] })).toMatchObject({ told: 1, stored: 1 });
  });
});

describe('a planted bug is found:', () => {
  it.each<[string, Finding, Given]>([
    ['a write that is gone', 'lost', { rules: [] }],
    ['an older value', 'lost', { writes: [created(), created({ value: '2.50' })] }],
    ['a value that was never written', 'lost', { rules: [{ ...there, value: '9.99' }] }],
    ['a deletion that did not happen', 'lost', { writes: [created(), deleted()], events: [event('1'), event('2', GONE)] }],
    ['no event', 'lost', { events: [] }],
    ['no event of a deletion', 'lost', { writes: [created(), deleted()], rules: [] }],
    ['an event of another type', 'lost', { events: [event('1', 'absence-rules.rule.updated')] }],
    ['a record twice', 'doubled', { rules: [there, { ...there, id: 'r2' }] }],
    ['one creation told as two', 'doubled', { events: [event('1'), event('2')] }],
    [
      'one deletion told as two',
      'doubled',
      { writes: [created(), deleted()], rules: [], events: [event('1'), ...['2', '3'].map((id) => event(id, GONE))] },
    ],
    ['what was left behind', 'leftBehind', { remains: ['file exports/x of no task'] }],
    ['a refused write that was done', 'wrong', { writes: [created({ told: 'refused' })], events: [] }],
    ['a record that nobody wrote', 'wrong', { rules: [there, { key: 'b', value: '1.00', id: 'r2' }] }],
    ['an answer that blames nobody', 'wrong', { statuses: [500] }],
  ])('%s', (_, finding, given) => {
    const verdict = judged(given);
    expect(verdict[finding]).not.toEqual([]);
    expect({ ...verdict, [finding]: [] }).toMatchObject(clean);
  });
});

it('live objects that were deleted before they were created have nothing to tell', () => {
  const history = new History();
  const employee = { kind: 'employee', key: 'e', id: 'e' } as const;
  history.writes.push(created({ ...employee, value: 'Kim' }), deleted(employee));
  expect(judge(history, UNHEARD)).toMatchObject(clean);
  const half = [event('1', 'records.employee.changed', 'e')];
  expect(judge(history, { ...UNHEARD, events: half }).lost).toHaveLength(1);
});

describe('webhooks', () => {
  const events = [event('1'), { ...event('2'), institutionId: 'neighbour' }];
  const request = (fields: Partial<ReceivedEvent> = {}): ReceivedEvent => ({
    ...{ receiver: 'firm', id: '1', type: 'absence-rules.rule.created', institutionId: 'firm', body: '{}', isGenuine: true },
    ...fields,
  });
  const judged = (received: readonly ReceivedEvent[]): Verdict =>
    judge(new History(), { ...UNHEARD, events, subscribers: ['firm'], received });

  it('may come twice, and not at all to those who did not ask', () => {
    expect(judged([request(), request()])).toMatchObject(clean);
  });

  it('may tell of what was published before the scenario', () => {
    const received = [request(), request({ id: '0' })];
    const stored = { ...UNHEARD, events, earlier: [event('0')], subscribers: ['firm'], received };
    expect(judge(new History(), stored)).toMatchObject(clean);
  });

  it.each<[string, Finding, readonly ReceivedEvent[]]>([
    ['that did not come', 'lost', []],
    ['that came to somebody else', 'lost', [request({ receiver: 'neighbour', institutionId: 'neighbour' })]],
    ['with a wrong signature', 'wrong', [request({ isGenuine: false })]],
    ['of another institution', 'wrong', [request(), request({ id: '2', institutionId: 'neighbour' })]],
    ['that nobody published', 'wrong', [request(), request({ id: '3' })]],
    ['of another type than was published', 'wrong', [request({ type: 'absence-rules.rule.deleted' })]],
    ['with another body at its second attempt', 'wrong', [request(), request({ body: '{"data":1}' })]],
  ])('a request %s is found', (_, finding, received) => {
    const verdict = judged(received);
    expect(verdict[finding]).toHaveLength(1);
    expect({ ...verdict, [finding]: [] }).toMatchObject(clean);
  });
});
