import type { Subscriber } from '../firm.js';
import type { Stored, StoredRecord } from '../judge.js';
import { shownByApi, type Place } from './api.js';
import { remainsOf, type InitialState } from './remains.js';
import type { EventPlaces, Servers } from './servers.js';
import { photoOf } from '../clients/daily-reports.js';
import { receivedBy } from './webhooks.js';

export type { Place } from './api.js';
export { readInitialState, type InitialState } from './remains.js';
export { openServers, type Servers } from './servers.js';
export { quiet, workInProgress, type WorkInProgress } from './work-in-progress.js';

/** The state before a scenario, from which changes are observed. */
export interface ObservationStart {
  readonly before: InitialState;
  /** Last event of each stream before the scenario. */
  readonly events: EventPlaces;
  /** Number of webhooks received before the scenario. */
  readonly received: number;
  /** Institutions with webhooks. */
  readonly subscribers: readonly Subscriber[];
}

/** Reads the results of a scenario through the API and directly from the servers. */
export async function observe(
  servers: Servers,
  place: Place,
  { before, events: places, received, subscribers }: ObservationStart,
): Promise<Stored> {
  // Leftovers are read first: work that is completed after that counts as a leftover, and its events do not count as lost.
  const remains = await remainsOf(servers, place, before);
  const [shown, photo, events] = await Promise.all([shownByApi(place), photosOf(servers, place), servers.eventsAfter(places)]);
  const webhookEvents = place.stage.receiver.received.slice(received).map((request) => receivedBy(subscribers, request));
  const known = new Set(events.map(({ id }) => id));
  return {
    records: { ...shown, photo },
    events,
    earlier: webhookEvents.every(({ id }) => known.has(id)) ? [] : await servers.eventsAfter(new Map()),
    subscribers: subscribers.map(({ institutionId }) => institutionId),
    received: webhookEvents,
    remains,
  };
}

async function photosOf({ s3, bucket }: Servers, { history }: Place): Promise<readonly StoredRecord[]> {
  const keys = new Set(history.writes.flatMap(({ kind, key }) => (kind === 'photo' ? [key] : [])));
  const found = await Promise.all(
    [...keys].map(async (key) => ((await s3.statObject(bucket, key).catch(() => undefined)) === undefined ? [] : [key])),
  );
  return found.flat().map((key) => ({ key, value: 'there', id: photoOf(key) }));
}
