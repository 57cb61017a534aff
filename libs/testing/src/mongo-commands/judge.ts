import type { LoggedAddressing } from './command-log.js';

/** Commands that may be sent to all shards, with the reason. */
interface Exception {
  readonly services?: readonly string[];
  readonly collections?: readonly string[];
  readonly shapes: RegExp;
  readonly reason: string;
}

const ANY = /^/;

const exceptions: readonly Exception[] = [
  { collections: ['tokens'], shapes: ANY, reason: 'The institution is only known from the token; tokens are few and not sharded.' },
  {
    collections: ['sweeps', 'claimed_slices', 'deleted_institutions', 'ingest_clock', 'redelivered_messages'],
    shapes: ANY,
    reason: 'State of the whole database; not sharded.',
  },
  { shapes: /^\{ outbox: \{ \$elemMatch: /, reason: 'The relay finds, under claims, events that their writer did not publish.' },
  { shapes: /^\{ outbox\.id: \{ \$gt \} \}$/, reason: 'Number of waiting events, for a metric: answered from the index.' },
  {
    shapes: /^\{ deleted_at: \{ \$ne \}, marker_until: .*, outbox: .* \}$/,
    reason: 'Leftovers of earlier versions: once for each database, and in inspections by operators.',
  },
  { services: ['records'], shapes: /^\{ leaving \}$/, reason: 'Sweep of interrupted deletions, with a sparse index.' },
  {
    shapes: /\binstitution_id: \{ \$nin: \[\] \}/,
    reason: 'Finds the owner of the id of a new record after a duplicate key, and in a dry run.',
  },
  {
    collections: ['accounts'],
    shapes: /^\{ (_id, )?deleted_at, leaving \}$/,
    reason: 'Operators look up an account by its id only, or list all accounts.',
  },
  { collections: ['deletion_markers'], shapes: /^\{ until: /, reason: 'Sweep of expired markers, with an index.' },
  {
    collections: ['deletion_markers'],
    shapes: /^\{ _id: \{ \$in: \[\] \} \}$/,
    reason: 'Includes keys of version 0.1; each is the shard key.',
  },
  {
    collections: ['tasks'],
    shapes: /^\{ _id, deleted_at \}$/,
    reason: 'Workers of version 0.1 send the id of a job without its institution.',
  },
  { collections: ['tasks'], shapes: /^\{ due_at: /, reason: 'Due steps of tasks, with an index and under claims.' },
  {
    collections: ['tasks'],
    shapes: /^\{ deleted_at, status: \{ \$in: \[\] \}, turn_at: \{ \$gt \} \}$/,
    reason: 'The open task that has been due longest, for a metric: the first entry of an index.',
  },
  {
    collections: ['forms'],
    shapes: /^\{ deleted_at, (fields\.config\.autofillFromApi, )?weather_due/,
    reason: 'Forms whose weather is due, with a partial index and under leases.',
  },
  {
    collections: ['descriptors'],
    shapes: /^\{ _id: \{ [^}]* \}, marks: \{ \$elemMatch: /,
    reason: 'Sweep of reports whose writer was killed, with a sparse index.',
  },
  {
    collections: ['tasks'],
    shapes: /^\{ deleted_at, ended_at: \{ \$gte \}, status \}$/,
    reason: 'Inspections by operators for finished tasks without a file.',
  },
  { collections: ['uploads'], shapes: /^\{ kept \}$/, reason: 'Inspections by operators for lost photos.' },
  { collections: ['uploads'], shapes: /^\{ due_at: /, reason: 'Sweep of due uploads, under claims.' },
  { collections: ['webhooks'], shapes: /^\{ deleted_at, due_at: /, reason: 'Webhooks with due deliveries, with an index.' },
  { collections: ['webhooks'], shapes: /^\{ deleted_at: \{ \$gt \}, due_at: /, reason: 'Webhooks that are being deleted, with an index.' },
  { collections: ['deliveries'], shapes: /^\{ created_at: /, reason: 'Sweep of expired deliveries, with an index.' },
  { collections: ['weather_claims'], shapes: /^\{ date: /, reason: 'Sweep of claims on past days.' },
];

/** Returns the logged commands that access documents of tenants without the institution, as text lines. */
export function unscoped(logged: readonly LoggedAddressing[]): string[] {
  const lines = logged
    .filter((one) => !one.isScoped && !exceptions.some((exception) => excuses(exception, one)))
    .map(({ service, command, collection, shape }) => `${service}: ${command} ${collection} ${shape}`);
  return [...new Set(lines)].sort();
}

function excuses({ services, collections, shapes }: Exception, { service, collection, shape }: LoggedAddressing): boolean {
  return (services?.includes(service) ?? true) && (collections?.includes(collection) ?? true) && shapes.test(shape);
}
