import { allAccepted, type Attempt, type OwnedKind } from '@stechuhr/ingest';
import type { Change, Content, KindName } from '../domain/kind.js';
import { kinds } from '../domain/kinds/index.js';
import { MAX_MONTH_BYTES, monthId } from '../domain/month.js';
import { nameOf } from '../domain/month-contents.js';
import { MonthDrafts, placeOf, placesOf } from './month-drafts.js';
import type { MonthPlan } from './month-plan.js';
import { planWorkdays } from './plan-workdays.js';
import { planWorkmonths } from './plan-workmonths.js';
import type { MonthStore, WriteContext } from './ports.js';
import { readWhole } from './whole-months.js';

/** Returns how tracked time is stored: a month has one document with its workdays and its own record, and a batch writes it once. */
export function ownedMonths(context: WriteContext): OwnedKind<Content, KindName> {
  return { kinds: [kinds.workmonth, kinds.workday], begin: (changes: readonly Change[]) => begin(context, changes) };
}

/** The maximum size of the months that an attempt reads. In memory they are several times as large, and several attempts run at a time. */
const MAX_WHOLE_BYTES = 2 * MAX_MONTH_BYTES;

async function begin(context: WriteContext, changes: readonly Change[]): Promise<Attempt<Content, KindName>> {
  // Heads are read before contents: a concurrent write of the same record then changes the version of the head.
  const [first, heads] = await Promise.all([fitting(context.months, changes), context.months.loadHeads(placesOf(changes))]);
  const read = new Set(first);
  const ofKind = (kind: KindName) => first.filter((change) => change.kind === kind);
  const whole = await readWhole(context.months, { workdays: ofKind('workday'), workmonths: ofKind('workmonth') });
  const drafts = new MonthDrafts(heads, whole);
  const workmonths = planWorkmonths(context, drafts, whole);
  const workdays = planWorkdays(context, drafts, whole);
  const planOf = ({ kind }: Change): MonthPlan => (kind === 'workmonth' ? workmonths : workdays);
  return {
    isPostponed: (change) => !read.has(change),
    stored: (change) => planOf(change).stored(change),
    put: (change) => planOf(change).put(change),
    remove: (change) => planOf(change).remove(change),
    dropStale: (change) => planOf(change).dropStale(change),
    save: async () => {
      if (!(await drafts.save(context))) return new Map();
      const found = await Promise.all([misplaced(context.months, 'workmonth', workmonths), misplaced(context.months, 'workday', workdays)]);
      const again = new Set(found.flat());
      return allAccepted([...workmonths.done, ...workdays.done].filter((change) => !again.has(change)));
    },
  };
}

/**
 * Returns the first changes whose stored months fit into memory together, at least one. Hundreds of changes may each concern another month of
 * two megabytes, and thousands another one of usual size.
 */
async function fitting(months: MonthStore, changes: readonly Change[]): Promise<readonly Change[]> {
  for (let some = changes; ;) {
    const bytes = some.length < 2 ? 0 : await wholeBytesOf(months, some);
    if (bytes <= MAX_WHOLE_BYTES) return some;
    // Rounded down, so that there are fewer.
    some = some.slice(0, Math.max(1, Math.floor((some.length * MAX_WHOLE_BYTES) / bytes)));
  }
}

async function wholeBytesOf(months: MonthStore, changes: readonly Change[]): Promise<number> {
  const sizes = await Promise.all(
    (['workday', 'workmonth'] as const).map((kind) =>
      months.wholeBytesOf(
        kind,
        changes.filter((change) => change.kind === kind),
      ),
    ),
  );
  return sizes.reduce((sum, bytes) => sum + bytes, 0);
}

/**
 * Returns the changes whose records are not where they should be, so that they need another attempt. Two processes may create the same record
 * at the same time, each in a different month, and neither finds the other's when it reads. Or each of them removes the other's copy, so that
 * none is left. Both look again after they have written, so the one that wrote last finds it.
 */
async function misplaced(
  months: MonthStore,
  kind: 'workday' | 'workmonth',
  { created, kept = [] }: Pick<MonthPlan, 'created' | 'kept'>,
): Promise<readonly Change[]> {
  const written = [...created, ...kept];
  if (written.length === 0) return [];
  const places = await months.placesOf(kind, written);
  const mustExist = new Set(kept);
  return written.filter((change) => {
    const own = monthId(placeOf(change).address);
    const found = places.get(nameOf(change, change.id)) ?? [];
    return found.some((place) => place !== own) || (mustExist.has(change) && !found.includes(own));
  });
}
