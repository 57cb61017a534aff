import type { History, Kind, Write } from './history.js';
import { judgeWebhooks, type ReceivedEvent } from './judge-webhooks.js';

/** A record as returned by the API. */
export interface StoredRecord {
  readonly key: string;
  readonly value: string;
  /** The id, which is the subject of its events. */
  readonly id: string;
}

/** An event that subscribers have received. Duplicates with the same id count once. */
export interface TappedEvent {
  readonly id: string;
  readonly institutionId: string;
  readonly type: string;
  readonly subject: string;
}

/** Everything that is observed after all work has been completed. */
export interface Stored {
  readonly records: Readonly<Record<Kind, readonly StoredRecord[]>>;
  readonly events: readonly TappedEvent[];
  /** Events before the scenario, if webhooks may contain them. */
  readonly earlier?: readonly TappedEvent[];
  /** Institutions with webhooks, and the received requests. */
  readonly subscribers: readonly string[];
  readonly received: readonly ReceivedEvent[];
  /** Leftovers that nothing would remove any more, one line each. */
  readonly remains: readonly string[];
}

/** The evaluation of a scenario. */
export interface Verdict {
  /** Number of acknowledged writes. */
  readonly acknowledged: number;
  /** Number of stored records. */
  readonly stored: number;
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  readonly leftBehind: readonly string[];
  /** Responses that seemed complete but had wrong content, refused writes that were executed, and responses with status 500. */
  readonly wrong: readonly string[];
}

/** The expected events of a kind of record. */
interface EventRule {
  /** Type of the event that is published for a creation, or for every write. */
  readonly written: string;
  readonly isForEachWrite: boolean;
  readonly deleted?: string;
  /** Whether a deletion may be handled before the creation; then the record never existed and no event is published. */
  readonly mayBeOvertaken?: true;
}

const EVENTS: Readonly<Partial<Record<Kind, EventRule>>> = {
  employee: { written: 'records.employee.changed', isForEachWrite: true, deleted: 'records.employee.deleted', mayBeOvertaken: true },
  project: { written: 'records.project.changed', isForEachWrite: true, deleted: 'records.project.deleted', mayBeOvertaken: true },
  rule: { written: 'absence-rules.rule.created', isForEachWrite: false, deleted: 'absence-rules.rule.deleted' },
  suppression: { written: 'reviews.suppression.created', isForEachWrite: false },
  task: { written: 'tasks.task.finished', isForEachWrite: false },
  autofill: { written: 'daily-reports.report.autofilled', isForEachWrite: false },
};

/** Compares what clients know with what is stored. */
export function judge(history: History, stored: Stored): Verdict {
  const kinds = (Object.keys(stored.records) as Kind[]).map((kind) => judgeKind(kind, history, stored));
  const found = [...kinds, { doubled: [], ...judgeWebhooks(stored) }];
  return {
    acknowledged: history.writes.filter(({ outcome }) => outcome === 'acknowledged').length,
    stored: Object.values(stored.records).flat().length,
    lost: found.flatMap(({ lost }) => lost),
    doubled: found.flatMap(({ doubled }) => doubled),
    leftBehind: stored.remains,
    wrong: [
      ...history.wrong,
      ...found.flatMap(({ wrong }) => wrong),
      ...history.answers.filter(({ status }) => status === 500).map(({ client }) => `${client}: 500`),
    ],
  };
}

type Findings = Record<'lost' | 'doubled' | 'wrong', string[]>;

function judgeKind(kind: Kind, history: History, stored: Stored): Findings {
  const findings: Findings = { lost: [], doubled: [], wrong: [] };
  const records = Map.groupBy(stored.records[kind], ({ key }) => key);
  const writes = Map.groupBy(
    history.writes.filter((write) => write.kind === kind),
    ({ key }) => key,
  );
  for (const [key, own] of writes) judgeRecord(own, records.get(key) ?? [], findings);
  for (const key of records.keys()) if (!writes.has(key)) findings.wrong.push(`${kind} ${key} was written by nobody`);
  const rule = EVENTS[kind];
  if (rule !== undefined) judgeEvents(rule, { writes, records: stored.records[kind], events: stored.events }, findings);
  return findings;
}

function judgeRecord(writes: readonly Write[], copies: readonly StoredRecord[], findings: Findings): void {
  const name = `${writes[0]?.kind ?? ''} ${writes[0]?.key ?? ''}`;
  if (copies.length > 1) findings.doubled.push(`${name}: ${String(copies.length)} records`);
  const value = copies[0]?.value ?? null;
  const possible = possibleValues(writes);
  if (possible.includes(value)) return;
  const shown = `${name}: ${value ?? 'nothing'} instead of ${possible.map((one) => one ?? 'nothing').join(' or ')}`;
  const wasRefused = writes.some((write) => write.outcome === 'refused' && write.value === value);
  findings[wasRefused ? 'wrong' : 'lost'].push(shown);
}

function possibleValues(writes: readonly Write[]): readonly (string | null)[] {
  let possible: (string | null)[] = [null];
  for (const { outcome, value } of writes) {
    if (outcome === 'acknowledged') possible = [value];
    else if (outcome === 'unknown') possible = [...possible, value];
  }
  return possible;
}

interface OfKind {
  readonly writes: ReadonlyMap<string, readonly Write[]>;
  readonly records: readonly StoredRecord[];
  readonly events: readonly TappedEvent[];
}

function judgeEvents(rule: EventRule, { writes, records, events }: OfKind, findings: Findings): void {
  const published = [...new Map(events.map((event) => [event.id, event])).values()];
  for (const [key, own] of writes) {
    const id = own.findLast((write) => write.id !== undefined)?.id ?? records.find((record) => record.key === key)?.id;
    if (id === undefined) continue;
    const count = (type: string | undefined): number => published.filter((event) => event.type === type && event.subject === id).length;
    judgeEventsOfOne(rule, own, { written: count(rule.written), deleted: count(rule.deleted) }, findings);
  }
}

interface Published {
  readonly written: number;
  readonly deleted: number;
}

function judgeEventsOfOne(rule: EventRule, writes: readonly Write[], { written, deleted }: Published, findings: Findings): void {
  const puts = writes.filter(({ value }) => value !== null);
  const isDeleted = rule.deleted !== undefined && wasAcknowledged(writes.filter(({ value }) => value === null));
  if (rule.mayBeOvertaken === true && isDeleted && written + deleted === 0) return;
  const mostWritten = rule.isForEachWrite ? puts.filter(({ outcome }) => outcome !== 'refused').length : 1;
  const name = `${writes[0]?.kind ?? ''} ${writes[0]?.key ?? ''}`;
  const hold = (type: string, count: number, { least, most }: { readonly least: boolean; readonly most: number }): void => {
    if (least && count === 0) findings.lost.push(`${name}: no event ${type}`);
    if (count > most) findings.doubled.push(`${name}: ${String(count)} events ${type}`);
  };
  hold(rule.written, written, { least: wasAcknowledged(puts), most: mostWritten });
  if (rule.deleted !== undefined) hold(rule.deleted, deleted, { least: isDeleted, most: 1 });
}

const wasAcknowledged = (writes: readonly Write[]): boolean => writes.some(({ outcome }) => outcome === 'acknowledged');
