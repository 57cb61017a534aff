import { AppError, newId } from '@stechuhr/kernel';
import { groupHash, type Entry } from '../domain/entry.js';
import type { ReportKey } from '../domain/report.js';
import type { EntryWrite, GroupHead } from './entry-port.js';
import type { EntryDraft, Ports } from './ports.js';
import { settleReports } from './settle-reports.js';
import type { Tenant } from './tenant.js';

type RecordPorts = Pick<Ports, 'entries' | 'reports' | 'forms' | 'events' | 'clock' | 'notifyOutbox'>;

/** Entries of one report, in the order in which they take effect. */
export interface Recording {
  readonly report: ReportKey;
  readonly drafts: readonly EntryDraft[];
}

export interface Recorded {
  /** What was written, by sequence. */
  readonly written: readonly Entry[];
  /** Drafts whose ids were there already. */
  readonly known: readonly string[];
}

interface Placed {
  readonly draft: EntryDraft;
  readonly group: string;
}

/** Everybody else who writes the group may be faster once in a while, but not so often. */
const MAX_RACES = 60;
const NO_ORIGIN = { fingerprint: null, liveSequence: undefined };

/** Entries that are there, and the marks on their report that a description has to settle. */
export interface Appended extends Recorded {
  readonly marks: readonly string[];
}

/**
 * Appends entries to their groups and keeps the report in step, in steps that may stop anywhere (design.md §10): a mark on the report, which
 * takes the sequences; the entries, each as the next version of its group; the description, which settles the mark.
 */
export async function recordEntries(ports: RecordPorts, tenant: Tenant, recording: Recording): Promise<Recorded> {
  const { marks, ...recorded } = await appendEntries(ports, tenant, recording);
  if (marks.length > 0) await settleReports(ports, tenant, [recording.report], { own: marks, insist: true });
  return recorded;
}

/** All but the last step, which `settleReports` can do for many reports together. */
export async function appendEntries(ports: RecordPorts, tenant: Tenant, { report, drafts }: Recording): Promise<Appended> {
  const marks: string[] = [];
  const written: Entry[] = [];
  const known: string[] = [];
  let open = drafts.map((draft) => ({ draft, group: groupHash({ ...draft, ...report }) }));
  for (let race = 0; open.length > 0; race += 1) {
    if (race > MAX_RACES + drafts.length) throw new AppError('unavailable', 'Too many write the same report at once.');
    const turn = upToRepeatedGroup(open);
    const heads = await ports.entries.headsOf(
      tenant,
      turn.map(({ group }) => group),
    );
    const needed = turn.filter(({ draft, group }) => draft.isNeedless?.(heads.get(group)?.entry) !== true);
    const outcomes = needed.length === 0 ? new Map<Placed, Outcome>() : await writeTurn(ports, tenant, { report, needed, heads, marks });
    written.push(...[...outcomes.values()].flatMap((outcome) => (typeof outcome === 'string' ? [] : [outcome])));
    known.push(...[...outcomes].flatMap(([{ draft }, outcome]) => (outcome === 'known' ? [draft.id] : [])));
    open = [...turn.filter((placed) => outcomes.get(placed) === 'taken'), ...open.slice(turn.length)];
  }
  if (marks.length > 0) ports.notifyOutbox();
  return { written: written.sort((a, b) => a.sequence - b.sequence), known, marks };
}

type Outcome = Entry | 'taken' | 'known';

interface Turn {
  readonly report: ReportKey;
  readonly needed: readonly Placed[];
  readonly heads: ReadonlyMap<string, GroupHead>;
  readonly marks: string[];
}

async function writeTurn(ports: RecordPorts, tenant: Tenant, { report, needed, heads, marks }: Turn): Promise<Map<Placed, Outcome>> {
  const mark = { id: newId(), at: Math.floor(ports.clock.now() / 1000) };
  marks.push(mark.id);
  // After the heads were read: whatever comes behind one of them has a higher sequence.
  const first = await ports.reports.mark(tenant, report, { mark, sequences: needed.length });
  const writes = needed.map(({ draft, group }, at): EntryWrite => {
    const { isNeedless: _, origin = NO_ORIGIN, ...fields } = draft;
    const entry = { ...fields, ...report, sequence: first + at };
    return { entry, version: (heads.get(group)?.version ?? 0) + 1, origin, event: ports.events.recorded(tenant, entry) };
  });
  const inserted = await ports.entries.insert(tenant, writes);
  return new Map(
    needed.map((placed, at) => {
      const write = writes[at];
      const outcome = inserted[at];
      return [placed, outcome === 'inserted' && write !== undefined ? write.entry : outcome === 'known' ? 'known' : 'taken'];
    }),
  );
}

/** A version has to be there before the next one of its group is judged; sequences follow the order of the drafts. */
function upToRepeatedGroup(open: readonly Placed[]): readonly Placed[] {
  const seen = new Set<string>();
  const end = open.findIndex(({ group }) => seen.size === seen.add(group).size);
  return end === -1 ? open : open.slice(0, end);
}
