import type { History, Kind, Write } from './history.js';
import { judgeWebhooks, type ReceivedEvent } from './judge-webhooks.js';

/** A record as the API shows it. */
export interface StoredRecord {
  readonly key: string;
  readonly value: string;
  /** The subject of its events. */
  readonly id: string;
}

/** An event that subscribers have received; one that was published twice under its id counts once. */
export interface TappedEvent {
  readonly id: string;
  readonly institutionId: string;
  readonly type: string;
  readonly subject: string;
}

/** Everything that can be looked at when all is quiet again. */
export interface Stored {
  readonly records: Readonly<Record<Kind, readonly StoredRecord[]>>;
  readonly events: readonly TappedEvent[];
  /** Those before the scenario, where webhooks tell of any. */
  readonly earlier?: readonly TappedEvent[];
  /** Institutions that get their events as webhooks, and what they got. */
  readonly subscribers: readonly string[];
  readonly received: readonly ReceivedEvent[];
  /** What nobody needs any more and nothing removes: one line each. */
  readonly remains: readonly string[];
}

/** What the checker says of a scenario. */
export interface Verdict {
  /** Writes that were acknowledged. */
  readonly told: number;
  /** Records that are there. */
  readonly stored: number;
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  readonly leftBehind: readonly string[];
  /** Complete-looking answers with wrong content, refused writes that were done, and answers that blame nobody (500). */
  readonly wrong: readonly string[];
}

/** The events of a kind: how many a record has for each write that may have been done. */
interface EventRule {
  /** Published for a creation, or for every change. */
  readonly written: string;
  readonly isForEachWrite: boolean;
  readonly deleted?: string;
  /** Whether a deletion may be handled before the creation: then nothing was ever there, and there is nothing to tell. */
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

/** Holds what clients were told against what is there. */
export function judge(history: History, stored: Stored): Verdict {
  const kinds = (Object.keys(stored.records) as Kind[]).map((kind) => judgeKind(kind, history, stored));
  const found = [...kinds, { doubled: [], ...judgeWebhooks(stored) }];
  return {
    told: history.writes.filter(({ told }) => told === 'acknowledged').length,
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
  const wasRefused = writes.some((write) => write.told === 'refused' && write.value === value);
  findings[wasRefused ? 'wrong' : 'lost'].push(shown);
}

function possibleValues(writes: readonly Write[]): readonly (string | null)[] {
  let possible: (string | null)[] = [null];
  for (const { told, value } of writes) {
    if (told === 'acknowledged') possible = [value];
    else if (told === 'unknown') possible = [...possible, value];
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
  const isDeleted = rule.deleted !== undefined && wasTold(writes.filter(({ value }) => value === null));
  if (rule.mayBeOvertaken === true && isDeleted && written + deleted === 0) return;
  const mostWritten = rule.isForEachWrite ? puts.filter(({ told }) => told !== 'refused').length : 1;
  const name = `${writes[0]?.kind ?? ''} ${writes[0]?.key ?? ''}`;
  const hold = (type: string, count: number, { least, most }: { readonly least: boolean; readonly most: number }): void => {
    if (least && count === 0) findings.lost.push(`${name}: no event ${type}`);
    if (count > most) findings.doubled.push(`${name}: ${String(count)} events ${type}`);
  };
  hold(rule.written, written, { least: wasTold(puts), most: mostWritten });
  if (rule.deleted !== undefined) hold(rule.deleted, deleted, { least: isDeleted, most: 1 });
}

const wasTold = (writes: readonly Write[]): boolean => writes.some(({ told }) => told === 'acknowledged');
