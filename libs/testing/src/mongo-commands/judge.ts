import type { HeardAddressing } from './heard.js';

/** Commands that may query all shards, with the reason. */
interface Exception {
  readonly services?: readonly string[];
  readonly collections?: readonly string[];
  readonly shapes: RegExp;
  readonly reason: string;
}

const ANY = /^/;

const exceptions: readonly Exception[] = [
  { collections: ['tokens'], shapes: ANY, reason: 'A token is how an institution becomes known; they are few, and not sharded.' },
  { collections: ['sweeps', 'claimed_slices', 'ingest_clock'], shapes: ANY, reason: 'Notes about the whole database, not sharded.' },
  { shapes: /^\{ outbox: \{ \$elemMatch: /, reason: 'The relay sweeps up, under claims, events that their writer did not publish.' },
  { shapes: /^\{ outbox\.id: \{ \$gt \} \}$/, reason: 'How many events wait, for a metric: answered by the index alone.' },
  {
    shapes: /^\{ deleted_at: \{ \$ne \}, marker_until: .*, outbox: .* \}$/,
    reason: 'Remains of earlier versions, once for each database, and whenever an operator looks.',
  },
  { services: ['records'], shapes: /^\{ leaving \}$/, reason: 'A sweep of deletions that were interrupted, by a sparse index.' },
  { shapes: /\binstitution_id: \{ \$nin: \[\] \}/, reason: 'Whose id a new record has, after its key was taken, and in a dry run.' },
  { collections: ['accounts'], shapes: /^\{ (_id, )?deleted_at, leaving \}$/, reason: 'Operators name an account alone, or list all.' },
  { collections: ['deletion_markers'], shapes: /^\{ until: /, reason: 'A sweep of what has expired, by an index.' },
  {
    collections: ['deletion_markers'],
    shapes: /^\{ _id: \{ \$in: \[\] \} \}$/,
    reason: 'Names of version 0.1 too; each is the shard key.',
  },
  { collections: ['tasks'], shapes: /^\{ _id, deleted_at \}$/, reason: 'Workers of version 0.1 name a job without its institution.' },
  { collections: ['tasks'], shapes: /^\{ due_at: /, reason: 'The agenda: steps that are due, by an index and under claims.' },
  {
    collections: ['tasks'],
    shapes: /^\{ deleted_at, status: \{ \$in: \[\] \}, turn_at: \{ \$gt \} \}$/,
    reason: 'The open task whose turn came first, for a metric: the first of an index.',
  },
  {
    collections: ['forms'],
    shapes: /^\{ deleted_at, (fields\.config\.autofillFromApi, )?weather_due/,
    reason: 'Whose weather is due, by an index of those alone and under leases.',
  },
  {
    collections: ['descriptors'],
    shapes: /^\{ marks: \{ \$elemMatch: /,
    reason: 'A sweep of reports whose writer was lost, by a sparse index.',
  },
  {
    collections: ['tasks'],
    shapes: /^\{ deleted_at, ended_at: \{ \$gte \}, status \}$/,
    reason: 'Operators look for finished tasks whose file is lost.',
  },
  { collections: ['uploads'], shapes: /^\{ kept \}$/, reason: 'Operators look for photos that are lost.' },
  { collections: ['uploads'], shapes: /^\{ due_at: /, reason: 'A sweep of uploads that are due, under claims.' },
  { collections: ['webhooks'], shapes: /^\{ deleted_at, due_at: /, reason: 'Webhooks to which something is due, by an index.' },
  { collections: ['deliveries'], shapes: /^\{ created_at: /, reason: 'A sweep of deliveries that are too old, by an index.' },
  { collections: ['weather_claims'], shapes: /^\{ date: /, reason: 'A sweep of claims on days that are over.' },
];

/** Queries of tenant data without an institution, one line each. */
export function unscoped(heard: readonly HeardAddressing[]): string[] {
  const lines = heard
    .filter((one) => !one.isScoped && !exceptions.some((exception) => excuses(exception, one)))
    .map(({ service, command, collection, shape }) => `${service}: ${command} ${collection} ${shape}`);
  return [...new Set(lines)].sort();
}

function excuses({ services, collections, shapes }: Exception, { service, collection, shape }: HeardAddressing): boolean {
  return (services?.includes(service) ?? true) && (collections?.includes(collection) ?? true) && shapes.test(shape);
}
