import { AppError, newTimeOrderedId } from '@stechuhr/kernel';
import { localDayOf } from '@stechuhr/worktime';
import { groupHash, type Entry } from '../domain/entry.js';
import { WEATHER_DAYS_BACK } from '../domain/weather-slots.js';
import { reportId, type ReportKey } from '../domain/report.js';
import { sizeOf } from '../domain/report-size.js';
import type { EntryWrite, Inserted } from './entry-port.js';
import type { EntryDraft, Ports } from './ports.js';
import type { Mark } from './report-port.js';
import { settleReports } from './settle-reports.js';
import type { Tenant } from './tenant.js';

type RecordPorts = Pick<Ports, 'entries' | 'reports' | 'forms' | 'events' | 'clock' | 'weatherAgenda' | 'notifyOutbox'>;

/** Entries to record for one report, in the order in which they take effect. */
export interface Recording {
  readonly report: ReportKey;
  readonly drafts: readonly EntryDraft[];
  /** Whether it is an autofill, for which one event is published. */
  readonly isAutofill?: boolean;
  readonly judge?: Judge;
  /** The revision of the log with which the drafts were validated. If the log has changed, they are refused. */
  readonly logRevision?: number;
}

/**
 * Checks the report right before it is marked, and throws if nothing may be written. A later change of its status comes after the entries.
 * @returns the checked revision of its log
 */
export type Judge = () => Promise<number>;

export interface Recorded {
  /** The written entries, by sequence. */
  readonly written: readonly Entry[];
  /** Ids of drafts that already existed. */
  readonly known: readonly string[];
  /** Ids of drafts that another institution uses. */
  readonly foreign: readonly string[];
  /** Ids of drafts of reports whose log has changed since they were validated. */
  readonly refused: readonly string[];
}

interface Placed {
  readonly report: ReportKey;
  readonly draft: EntryDraft;
  readonly group: string;
  readonly isAutofill: boolean;
  readonly judge: Judge | undefined;
  readonly logRevision: number | undefined;
}

/** The maximum number of lost compare-and-sets; more than concurrent writers of a group can cause. */
const MAX_RACES = 60;
/**
 * For validated drafts: the first attempt may be lost to another writer that creates the report at the same time, the second one only to a
 * change of its log.
 */
const JUDGED_RACES = 2;
/** The number of reports that are marked concurrently. */
const PARALLEL_MARKS = 8;
const NO_ORIGIN = { fingerprint: null, liveSequence: undefined };

/** The recorded entries, with the marks on their reports that have to be cleared. */
export interface Appended extends Recorded {
  readonly marks: readonly Mark[];
}

/**
 * Appends entries to their groups and keeps the report consistent. Each of the three steps can be interrupted
 * (docs/rules/daily-reports.md#writing-an-entry): first, a mark on the report reserves the sequences; second, each entry is stored as the
 * next version of its group; third, the computed fields are stored and the mark is cleared.
 */
export async function recordEntries(ports: RecordPorts, tenant: Tenant, recording: Recording): Promise<Recorded> {
  const { marks, ...recorded } = await appendEntries(ports, tenant, [recording]);
  if (marks.length > 0) await settleReports(ports, tenant, [recording.report], { own: marks, insist: true });
  return recorded;
}

/** Performs all steps except the last one, for many reports together. */
export async function appendEntries(ports: RecordPorts, tenant: Tenant, recordings: readonly Recording[]): Promise<Appended> {
  const marks: Mark[] = [];
  const written: Entry[] = [];
  const unwritten = { known: [] as string[], foreign: [] as string[], refused: [] as string[] };
  let open = recordings.flatMap(({ drafts, isAutofill = false, judge, logRevision, report }) => {
    return drafts.map((draft): Placed => ({ report, draft, group: groupHash({ ...draft, ...report }), isAutofill, judge, logRevision }));
  });
  const lastRace = MAX_RACES + open.length;
  for (let race = 0; open.length > 0; race += 1) {
    if (race > lastRace) throw new AppError('unavailable', 'Too many concurrent writes of the same report.');
    const batch = nextBatch(open);
    const outcomes = await writeBatch(ports, tenant, { batch, marks });
    written.push(...[...outcomes.values()].flatMap((outcome) => (typeof outcome === 'string' ? [] : [outcome])));
    for (const [{ draft }, outcome] of outcomes) if (typeof outcome === 'string' && outcome !== 'taken') unwritten[outcome].push(draft.id);
    open = open.filter((placed) => !batch.has(placed) || outcomes.get(placed) === 'taken');
  }
  if (marks.length > 0) ports.notifyOutbox();
  return { written: written.sort((a, b) => a.sequence - b.sequence), ...unwritten, marks };
}

type Outcome = Entry | 'taken' | 'known' | 'foreign' | 'refused';

interface Batch {
  readonly batch: ReadonlySet<Placed>;
  /** Collects new marks, before anything can fail. */
  readonly marks: Mark[];
}

async function writeBatch(ports: RecordPorts, tenant: Tenant, { batch, marks }: Batch): Promise<Map<Placed, Outcome>> {
  const groups = [...batch].map(({ group }) => group);
  const heads = await ports.entries.headsOf(tenant, groups);
  const needed = [...batch].filter(({ draft, group }) => draft.isNeedless?.(heads.get(group)?.entry) !== true);
  if (needed.length === 0) return new Map();
  // Reserved after the heads were read, so that a later version of a group has a higher sequence.
  const sequences = await takeSequences(ports, tenant, { needed, marks });
  const placeable = needed.filter((placed) => sequences.has(placed));
  const outcomes = new Map<Placed, Outcome>(needed.map((placed) => [placed, 'refused']));
  if (placeable.length === 0) return outcomes;
  const writes = placeable.map((placed): EntryWrite => {
    const { isNeedless: _, origin = NO_ORIGIN, ...fields } = placed.draft;
    const entry = { ...fields, ...placed.report, sequence: sequences.get(placed) ?? 0 };
    return { entry, version: (heads.get(placed.group)?.version ?? 0) + 1, origin, event: ports.events.recorded(tenant, entry) };
  });
  const inserted = await ports.entries.insert(tenant, writes);
  for (const [at, placed] of placeable.entries()) outcomes.set(placed, outcomeOf(inserted[at], writes[at]));
  return outcomes;
}

function outcomeOf(inserted: Inserted | undefined, write: EntryWrite | undefined): Outcome {
  if (inserted === 'inserted' && write !== undefined) return write.entry;
  return inserted === 'known' || inserted === 'foreign' ? inserted : 'taken';
}

interface Needed {
  readonly needed: readonly Placed[];
  readonly marks: Mark[];
}

/** Reserves sequences in the order of the drafts. Drafts of reports that could not be marked have none. */
async function takeSequences(ports: RecordPorts, tenant: Tenant, { needed, marks }: Needed): Promise<Map<Placed, number>> {
  const sequences = new Map<Placed, number>();
  const queue = [...Map.groupBy(needed, ({ report }) => reportId(report)).values()];
  const work = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const first = await markReport(ports, tenant, { needed: next, marks });
      if (first === undefined) continue;
      for (const [at, placed] of next.entries()) sequences.set(placed, first + at);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_MARKS }, work));
  return sequences;
}

/** Marks a report. @returns the first of the reserved sequences; undefined if its log has changed since the drafts were validated */
async function markReport(
  { reports, clock, weatherAgenda }: RecordPorts,
  tenant: Tenant,
  { needed, marks }: Needed,
): Promise<number | undefined> {
  const [placed] = needed;
  if (placed === undefined) return undefined;
  const { report, isAutofill, judge } = placed;
  const autofilled = !isAutofill ? [] : needed.map(({ draft }) => ({ entryId: draft.id, fieldId: draft.fieldId }));
  const mark = { id: newTimeOrderedId(), at: Math.floor(clock.now() / 1000), autofilled };
  marks.push(mark);
  const { bytes } = sizeOf(needed.map(({ draft }) => draft.value));
  const key = { tagId: report.tagId, date: report.date };
  const isJudged = judge === undefined && placed.logRevision !== undefined;
  for (let race = 0; race < (isJudged ? JUDGED_RACES : MAX_RACES); race += 1) {
    const logRevision = judge === undefined ? placed.logRevision : await judge();
    const first = await reports.mark(tenant, key, { mark, sequences: needed.length, bytes, logRevision });
    if (first === undefined) continue;
    // A new report has no weather readings yet.
    if (first === 0 && report.date >= localDayOf(clock.now() / 1000) - WEATHER_DAYS_BACK) await weatherAgenda.hasten(tenant);
    return first;
  }
  if (isJudged) return undefined;
  throw new AppError('unavailable', 'Too many concurrent changes of the same report.');
}

/**
 * Returns the drafts of each report up to the first repeated group: a version has to be stored before the next one of its group is checked.
 */
function nextBatch(open: readonly Placed[]): ReadonlySet<Placed> {
  const groups = new Set<string>();
  const ended = new Set<string>();
  const batch = new Set<Placed>();
  for (const placed of open) {
    const report = reportId(placed.report);
    if (groups.has(placed.group)) ended.add(report);
    if (ended.has(report)) continue;
    groups.add(placed.group);
    batch.add(placed);
  }
  return batch;
}
