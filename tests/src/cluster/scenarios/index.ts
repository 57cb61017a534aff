import { backlogIsSeen } from './backlog.js';
import { backupRestored } from './backup.js';
import { barePods } from './bare-pods.js';
import { byCertManager } from './cert-manager.js';
import { doctorInside } from './doctor.js';
import { failingPrepare } from './failing-prepare.js';
import { behindIngress } from './ingress.js';
import { install } from './install.js';
import { natsLost } from './nats-lost.js';
import { nodeDrained } from './node-drained.js';
import { outOfMemory } from './out-of-memory.js';
import { partitionsIntroduced } from './partitions.js';
import { everyPodDeleted, gatewayScaled } from './pods-go.js';
import { policiesHold } from './reach.js';
import { refusedValues } from './refused-values.js';
import { certificatesRotated, secretsRotated } from './rotation.js';
import { scaledByBacklog } from './scaled-by-backlog.js';
import { scaledByLoad } from './scaled-by-load.js';
import type { Scenario } from './scenario.js';
import { skaffoldDev } from './skaffold-dev.js';
import { strangersRefused } from './strangers.js';
import { uninstall } from './uninstall.js';
import { rollback, upgrade } from './upgrade.js';
import { workerKilled } from './worker-killed.js';

/** All scenarios in the order in which they run. They share one installation: the first scenario creates it and `uninstall` removes it. */
export const scenarios: readonly Scenario[] = [
  install,
  refusedValues,
  barePods,
  policiesHold,
  doctorInside,
  strangersRefused,
  upgrade,
  rollback,
  failingPrepare,
  everyPodDeleted,
  nodeDrained,
  workerKilled,
  partitionsIntroduced,
  natsLost,
  behindIngress,
  gatewayScaled,
  scaledByLoad,
  scaledByBacklog,
  outOfMemory,
  backlogIsSeen,
  certificatesRotated,
  byCertManager,
  secretsRotated,
  backupRestored,
  uninstall,
  skaffoldDev,
];
