import { clocks } from './clocks.js';
import { crashPoints } from './crash-points.js';
import { disks } from './disks.js';
import { messages } from './messages.js';
import { natsCluster } from './nats-cluster.js';
import { network } from './network.js';
import { objectStore } from './object-store.js';
import { processes } from './processes.js';
import { replicas } from './replicas.js';
import type { Scenario } from './scenario.js';

export type { Scenario } from './scenario.js';

/** The campaign. */
export const scenarios: readonly Scenario[] = [
  ...[...processes, ...replicas, ...network, ...natsCluster, ...disks],
  ...[...crashPoints, ...clocks, ...objectStore, ...messages],
];
