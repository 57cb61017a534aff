import type { Load } from '../load.js';
import type { ServerSetupKind } from '../servers/server-setup.js';
import type { Stage } from '../stage.js';

/** A fault, or several related ones, injected while clients work. */
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
  /** Whether `npm test` runs it, because it takes only seconds. */
  readonly isQuick?: boolean;
  /** Names of the clients; all by default. */
  readonly clients?: readonly string[];
  /** Set if each service has a second replica: of this version, or of the previous version. */
  readonly beside?: 'itself' | 'the version before';
  /** The required servers, if they differ from those of most scenarios. */
  readonly serverSetup?: ServerSetupKind;
  /** Whether clients must not notice the fault: a failed request makes the scenario fail. */
  readonly isUnnoticed?: boolean;
  /** Injects the fault and undoes it, while clients work. */
  strike(stage: Stage, load: Load): Promise<void>;
}

/** Duration of faults, long enough to affect every client. */
export const WHILE_MS = 3_000;
