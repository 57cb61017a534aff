import type { Cache } from '../fetch/cached.js';
import type { Log } from '../log.js';
import type { Home } from '../process/home.js';

/** The four servers that the platform needs. */
export type PartName = 'mongodb' | 'nats' | 'redis' | 's3';

/** What a provider may look at to find out whether it can serve here. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly cache: Cache;
}

/** Where an instance lives. */
export interface Place {
  readonly home: Home;
  /** Its data; kept between runs. */
  readonly folder: string;
  readonly port: number;
  readonly log: Log;
}

/** A server that runs. */
export interface Instance<A> {
  readonly address: A;
  /** Resolves when it ended without having been asked to; never for one that is not ours. */
  readonly died: Promise<string>;
  stop(): Promise<void>;
  /** Ends it without warning, as a crash would. */
  kill(): Promise<void>;
}

/** A way that works here: how to start an instance. */
export interface Recipe<A> {
  /** What will run, for the line that is shown. */
  readonly description: string;
  start(place: Place): Promise<Instance<A>>;
}

/** One way to come by a server; a part lists its ways in the order of preference. */
export interface Provider<A> {
  /** Stored with the data: what one provider wrote, another cannot always read. */
  readonly id: string;
  /** Rejects with the reason when this way does not work here; takes long only while something is fetched. */
  prepare(surroundings: Surroundings): Promise<Recipe<A>>;
}

/** One of the four, with its ways. */
export interface Part<A> {
  readonly name: PartName;
  readonly label: string;
  readonly providers: readonly Provider<A>[];
  /** What to install when no way works. */
  readonly advice: string;
}
