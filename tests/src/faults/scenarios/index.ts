import { clocks } from './clocks.js';
import { crashPoints } from './crash-points.js';
import { disks } from './disks.js';
import { messages } from './messages.js';
import { natsCluster, natsDisk } from './nats-cluster.js';
import { betweenServices, network } from './network.js';
import { objectStore } from './object-store.js';
import { processes } from './processes.js';
import { replicas } from './replicas.js';
import type { Scenario } from './scenario.js';

export type { Scenario } from './scenario.js';

/** All scenarios of the campaign. */
export const scenarios: readonly Scenario[] = [
  ...[...processes, ...replicas, ...network, ...betweenServices, ...natsCluster, ...disks, natsDisk],
  ...[...crashPoints, ...clocks, ...objectStore, ...messages],
];
