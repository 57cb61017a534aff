import type { Cache } from '../fetch/cached.js';
import type { Log } from '../log.js';
import type { Home } from '../process/home.js';

/** The four servers that the platform needs. */
export type PartName = 'mongodb' | 'nats' | 'redis' | 's3';

/** What a provider may use to find out whether it works here. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly cache: Cache;
}

/** Where an instance keeps its state. */
export interface Place {
  readonly home: Home;
  /** Its data, which is kept between runs. */
  readonly folder: string;
  readonly port: number;
  readonly log: Log;
}

/** A running server. */
export interface Instance<A> {
  readonly address: A;
  /** Resolves when it ended unexpectedly; never resolves for servers that we did not start. */
  readonly died: Promise<string>;
  stop(): Promise<void>;
  /** Ends it without warning, like a crash. */
  kill(): Promise<void>;
}

/** A provider that works here: how to start an instance. */
export interface Recipe<A> {
  /** What will run, for a message to the user. */
  readonly description: string;
  start(place: Place): Promise<Instance<A>>;
}

/** One way to provide a server. Each server lists its providers in order of preference. */
export interface Provider<A> {
  /** Stored with the data, because data written by one provider cannot always be read by another. */
  readonly id: string;
  /** Rejects with the reason if this provider does not work here. Takes long only if something is downloaded. */
  prepare(surroundings: Surroundings): Promise<Recipe<A>>;
}

/** One of the four servers, with its providers. */
export interface Part<A> {
  readonly name: PartName;
  readonly label: string;
  readonly providers: readonly Provider<A>[];
  /** What to install if no provider works. */
  readonly advice: string;
}
