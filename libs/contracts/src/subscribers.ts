import { events } from './events.js';

/** A service of another team that subscribes to events with its own NATS user (`nats.subscribers` of the chart). */
export interface Subscriber {
  /** Name of its user. */
  readonly user: string;
  /** Patterns `<service>.<entity>.<verb>`, in which each part may be `*`. Patterns must not overlap. */
  readonly events: readonly string[];
  /** The institution of the events; all institutions if omitted. */
  readonly institution?: string;
}

/** Subject prefix of the JetStream API that subscribers may use; `$JS.API` is the API of their own account. */
export const SUBSCRIBER_API = 'stechuhr.api';

/** Returns the name of its consumer in every stream of events; no service has such a name. */
export function subscriberDurable({ user }: Pick<Subscriber, 'user'>): string {
  return `subscriber-${user}`;
}

/** Returns the filter subjects of its consumers. */
export function subscriberFilters({ events: patterns, institution = '*' }: Subscriber): string[] {
  return patterns.map((pattern) => `stechuhr.events.${institution}.${pattern}`);
}

const FORM = /^(?:[a-z-]+|\*)\.(?:[a-z_-]+|\*)\.(?:[a-z-]+|\*)$/;
const INSTITUTION = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Describes what is wrong with a subscriber, as a phrase; undefined if it is valid. */
export function subscriberProblem({ user, events: patterns, institution }: Subscriber): string | undefined {
  if (!/^[a-z0-9-]+$/.test(user)) return 'user has to be small letters, digits and hyphens';
  if (institution !== undefined && !INSTITUTION.test(institution)) return 'institution has to be the id of one, a UUID in small letters';
  if (patterns.length === 0) return 'events are none';
  const unknown = patterns.find((pattern) => !FORM.test(pattern) || !events.some(({ type }) => overlap(pattern, type)));
  if (unknown !== undefined) return `there are no events ${unknown}`;
  const [twice] = patterns.flatMap((one, at) => patterns.slice(at + 1).flatMap((other) => (overlap(one, other) ? [[one, other]] : [])));
  // The server rejects consumers with overlapping filters.
  return twice && `events ${twice.join(' and ')} have some in common: name each of them once`;
}

function overlap(one: string, other: string): boolean {
  const others = other.split('.');
  return one.split('.').every((token, at) => token === '*' || others[at] === '*' || token === others[at]);
}
