import type { Platform } from '../platform/platform.js';

/** The results of a scenario for its row in the table. */
export interface Outcome {
  readonly requests?: number;
  readonly failed?: number;
  readonly worstMs?: number;
  /** Additional information about a successful run. */
  readonly note?: string;
}

/** An event in the life of the platform in a cluster, such as an upgrade. `run` throws if the platform does not behave as expected. */
export interface Scenario {
  /** Short description of the expected behaviour. */
  readonly name: string;
  /** Whether it is part of `--brief`, because it takes seconds and does not depend on the speed of the machine. */
  readonly brief?: boolean;
  /** Whether it needs a separate installation and the resources of the shared one; it runs after the others. */
  readonly alone?: true;
  /** Returns the reason why the cluster cannot run the scenario, which is then skipped; otherwise undefined. */
  unless?(platform: Platform): Promise<string | undefined>;
  run(platform: Platform): Promise<Outcome>;
}

/** An expectation of a scenario that was not met. */
export class Broken extends Error {
  constructor(
    message: string,
    readonly outcome: Outcome = {},
  ) {
    super(message);
  }
}

/** Checks an expectation. @throws Broken if it is not met */
export function insist(holds: boolean, message: string): asserts holds {
  if (!holds) throw new Broken(message);
}
