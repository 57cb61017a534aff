import type { Platform } from '../platform/platform.js';

/** What a scenario found, for its line in the table. */
export interface Outcome {
  readonly requests?: number;
  readonly failed?: number;
  readonly worstMs?: number;
  /** What is worth knowing of a run that went well. */
  readonly note?: string;
}

/** One thing that happens to the platform in a cluster, with its judgement: `run` throws when it does not hold. */
export interface Scenario {
  /** What holds, in a few words. */
  readonly name: string;
  /** Whether CI runs it: it is done in seconds, and does not depend on how busy the machine is. */
  readonly brief?: boolean;
  /** Whether it has an installation of its own, and takes the room of the one that the others share: it comes after them. */
  readonly alone?: true;
  /** It is skipped, with this reason, where the cluster cannot show it. */
  unless?(platform: Platform): Promise<string | undefined>;
  run(platform: Platform): Promise<Outcome>;
}

/** A judgement that did not hold. */
export class Broken extends Error {
  constructor(
    message: string,
    readonly outcome: Outcome = {},
  ) {
    super(message);
  }
}

/** @throws Broken when it does not hold */
export function insist(holds: boolean, message: string): asserts holds {
  if (!holds) throw new Broken(message);
}
