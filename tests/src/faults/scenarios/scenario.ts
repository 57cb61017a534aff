import type { Load } from '../load.js';
import type { ServerSetupKind } from '../servers/server-setup.js';
import type { Stage } from '../stage.js';

/** One fault, or several that belong together, while clients work. */
export interface Scenario {
  readonly group:
    | 'processes'
    | 'two replicas'
    | 'network'
    | 'between services'
    | 'three NATS servers'
    | 'disks'
    | 'crash points'
    | 'clocks'
    | 'messages'
    | 'object store'
    | 'soak';
  readonly name: string;
  /** Whether `npm test` runs it: it is done in seconds. */
  readonly isQuick?: boolean;
  /** Names of the clients that work; all by default. */
  readonly clients?: readonly string[];
  /** Where each service has another replica: of this version, or of the version before. */
  readonly beside?: 'itself' | 'the version before';
  /** Which servers it needs, where those of most scenarios do not do. */
  readonly serverSetup?: ServerSetupKind;
  /** Whether no client may notice: a request that fails is a failure of the scenario. */
  readonly isUnnoticed?: boolean;
  /** Disturbs the platform and undoes it; clients are at work all the time. */
  strike(stage: Stage, load: Load): Promise<void>;
}

/** Faults last so long that every client has met them. */
export const WHILE_MS = 3_000;
