import { allAccepted, type Attempt, type OwnedKind } from '@stechuhr/ingest';
import type { Change, Content, KindName } from '../domain/kind.js';
import { kinds } from '../domain/kinds/index.js';
import { monthId, type StoredMonth } from '../domain/month.js';
import { nameOf } from '../domain/month-contents.js';
import { MonthDrafts, placeOf, placesOf } from './month-drafts.js';
import type { MonthPlan } from './month-plan.js';
import { planWorkdays } from './plan-workdays.js';
import { planWorkmonths } from './plan-workmonths.js';
import type { MonthStore, WriteContext } from './ports.js';

/** How tracked time is stored: the workdays of a month and the record about it share one document, which is written once. */
export function ownedMonths(context: WriteContext): OwnedKind<Content, KindName> {
  return { kinds: [kinds.workmonth, kinds.workday], begin: (changes: readonly Change[]) => begin(context, changes) };
}

async function begin(context: WriteContext, changes: readonly Change[]): Promise<Attempt<Content, KindName>> {
  // Heads before contents: a concurrent write of the same record changes the version of the head.
  const heads = await context.months.loadHeads(placesOf(changes));
  const whole = await readWhole(context.months, changes);
  const drafts = new MonthDrafts(heads, whole);
  const workmonths = planWorkmonths(context, drafts, whole);
  const workdays = planWorkdays(context, drafts, whole);
  const planOf = ({ kind }: Change): MonthPlan => (kind === 'workmonth' ? workmonths : workdays);
  return {
    stored: (change) => planOf(change).stored(change),
    put: (change) => planOf(change).put(change),
    remove: (change) => planOf(change).remove(change),
    dropStale: (change) => planOf(change).dropStale(change),
    save: async () => {
      if (!(await drafts.save(context))) return new Map();
      const found = await Promise.all([
        foundElsewhere(context.months, 'workmonth', workmonths.created),
        foundElsewhere(context.months, 'workday', workdays.created),
      ]);
      const elsewhere = new Set(found.flat());
      return allAccepted([...workmonths.done, ...workdays.done].filter((change) => !elsewhere.has(change)));
    },
  };
}

/**
 * Finds created records that also exist in other months: two processes may create one at the same time, each in another month, and neither sees the
 * other's when it reads. Each checks again after writing, so that at least one of them finds both and makes another attempt.
 */
async function foundElsewhere(months: MonthStore, kind: 'workday' | 'workmonth', created: readonly Change[]): Promise<readonly Change[]> {
  if (created.length === 0) return [];
  const places = await months.placesOf(kind, created);
  return created.filter((change) => {
    const own = monthId(placeOf(change).address);
    return places.get(nameOf(change, change.id))?.some((place) => place !== own) === true;
  });
}

/** The months in which the records of some changes are stored, each once. */
async function readWhole(months: MonthStore, changes: readonly Change[]): Promise<readonly StoredMonth[]> {
  const recorded = await months.recordedAs(changes.filter(({ kind }) => kind === 'workmonth'));
  const holding = await months.holding(changes.filter(({ kind }) => kind === 'workday'));
  // If a month was written in between, the older copy is kept: its write then fails, and both are read again.
  const each = new Map([...holding, ...recorded].map((month) => [monthId(month.address), month]));
  return [...each.values()];
}
