import { events } from './events.js';

/** A service of another team that follows events with a user of its own at NATS (`nats.subscribers` of the chart). */
export interface Subscriber {
  /** Name of its user. */
  readonly user: string;
  /** `<service>.<entity>.<verb>`, each of which may be `*`; no two that have an event in common. */
  readonly events: readonly string[];
  /** Whose events; all institutions' without. */
  readonly institution?: string;
}

/** Where subscribers find the part of the API of JetStream that is theirs: `$JS.API` of their own account is another one. */
export const SUBSCRIBER_API = 'stechuhr.api';

/** Name of its consumer, in every stream of events; no service has such a name. */
export function subscriberDurable({ user }: Pick<Subscriber, 'user'>): string {
  return `subscriber-${user}`;
}

/** What its consumers take. */
export function subscriberFilters({ events: patterns, institution = '*' }: Subscriber): string[] {
  return patterns.map((pattern) => `stechuhr.events.${institution}.${pattern}`);
}

const FORM = /^(?:[a-z-]+|\*)\.(?:[a-z_-]+|\*)\.(?:[a-z-]+|\*)$/;
const INSTITUTION = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What is wrong with a subscriber, in a sentence without its subject; undefined when nothing is. */
export function subscriberProblem({ user, events: patterns, institution }: Subscriber): string | undefined {
  if (!/^[a-z0-9-]+$/.test(user)) return 'user has to be small letters, digits and hyphens';
  if (institution !== undefined && !INSTITUTION.test(institution)) return 'institution has to be the id of one, a UUID in small letters';
  if (patterns.length === 0) return 'events are none';
  const unknown = patterns.find((pattern) => !FORM.test(pattern) || !events.some(({ type }) => overlap(pattern, type)));
  if (unknown !== undefined) return `there are no events ${unknown}`;
  const [twice] = patterns.flatMap((one, at) => patterns.slice(at + 1).flatMap((other) => (overlap(one, other) ? [[one, other]] : [])));
  // The server would refuse the consumer.
  return twice && `events ${twice.join(' and ')} have some in common: name each of them once`;
}

function overlap(one: string, other: string): boolean {
  const others = other.split('.');
  return one.split('.').every((token, at) => token === '*' || others[at] === '*' || token === others[at]);
}
