import { setTimeout as pause } from 'node:timers/promises';
import { toNdjson, waitFor } from '@stechuhr/testing';
import { taskPath } from '../clients/exports.js';
import type { Kind } from '../history.js';
import type { Load } from '../load.js';
import type { Disk } from '../servers/disks.js';
import type { DiskName } from '../servers/server-setup.js';
import type { Stage } from '../stage.js';
import { WHILE_MS, type Scenario } from './scenario.js';

interface DiskFault extends Pick<Scenario, 'name' | 'isUnnoticed'> {
  readonly disk: DiskName;
  strike(stage: Stage, load: Load, disk: Disk): Promise<void>;
}

/** Creates a scenario with a disk that is full or read-only. */
const onDisk = ({ disk: wanted, strike, ...scenario }: DiskFault): Scenario => ({
  ...scenario,
  group: 'disks',
  serverSetup: 'small disks',
  strike(stage, load) {
    const disk = stage.disks?.[wanted];
    if (disk === undefined) throw new Error('The stage has no small disks.');
    return strike(stage, load, disk);
  },
});

/** Makes the folder for temporary files unusable. Imports whose lines have to be buffered fail with the reason. */
const temporaryFiles = (name: string, fault: 'fill' | 'refuseWrites'): Scenario =>
  onDisk({
    name,
    disk: 'temporary',
    async strike(stage, { tools, history }, disk) {
      const { lines: inOrder } = tools.firm.wordyLines(tools.slot);
      // A repeated line ends a batch before its employee is known, so that lines have to be buffered.
      const lines = [...inOrder.slice(-1), ...inOrder.toReversed()];
      disk[fault]();
      const { exitCode, stderr } = await stage.cli(['import', '--json', '-'], [toNdjson(lines)]);
      if (exitCode === 0 || !stderr.includes(NO_TEMPORARY_FILES)) history.wrong.push(`an import ended with ${String(exitCode)}: ${stderr}`);
      await pause(WHILE_MS);
      disk.restore();
      await stage.importLines(lines);
    },
  });

const NO_TEMPORARY_FILES = 'The folder of temporary files cannot be written to';

export const disks: readonly Scenario[] = [
  onDisk({
    name: 'disk of the object store full',
    disk: 's3',
    async strike(_, load, disk) {
      disk.fill();
      await waitForFailedWrite(load, 'photo');
      await pause(2 * WHILE_MS);
    },
  }),
  onDisk({
    name: 'disk of NATS full',
    disk: 'nats',
    async strike(_, load, disk) {
      disk.fill();
      await waitForFailedWrite(load, 'project');
      await pause(2 * WHILE_MS);
      disk.restore();
    },
  }),
  onDisk({
    // A stream may lose its last sequence number, while its consumers remember theirs.
    name: 'disk of NATS full, and SIGKILL of it',
    disk: 'nats',
    async strike(stage, load, disk) {
      disk.fill();
      await waitForFailedWrite(load, 'project');
      await pause(2 * WHILE_MS);
      await stage.nats?.kill();
      disk.restore();
      await stage.nats?.restart();
      await runBackgroundExport(load);
    },
  }),
  onDisk({
    // The stand-in ends if it cannot write its journal, like a real mongod.
    name: 'disk of MongoDB full',
    disk: 'mongodb',
    async strike(stage, load, disk) {
      const { mongodb } = stage.infra.servers;
      const died = mongodb.died();
      disk.fill();
      await waitForFailedWrite(load, 'rule');
      await died;
      await pause(WHILE_MS);
      disk.restore();
      await mongodb.restart();
    },
  }),
  {
    group: 'disks',
    name: 'power lost by NATS and the object store',
    serverSetup: 'volumes',
    async strike({ infra, nats, volumes }, load) {
      if (nats === undefined || volumes === undefined) throw new Error('The stage has no volumes that can lose power.');
      await pause(2 * WHILE_MS);
      await Promise.all([nats.kill(), infra.servers.s3.kill()]);
      for (const volume of Object.values(volumes)) volume.losePower();
      await Promise.all([nats.restart(), infra.servers.s3.restart()]);
      await load.served();
    },
  },
  onDisk({
    name: 'disk of the logs full',
    disk: 'logs',
    isUnnoticed: true,
    async strike(_, load, disk) {
      disk.fill();
      await load.served();
    },
  }),
  temporaryFiles('folder of temporary files full', 'fill'),
  temporaryFiles('folder of temporary files read-only', 'refuseWrites'),
];

/** Runs a new background export, because those of the clients may all have ended before the fault. */
async function runBackgroundExport({ tools }: Load): Promise<void> {
  const path = taskPath(tools.slot.worker, `value:as>${tools.slot.word}Then`);
  await waitFor(async () => {
    const answer = await tools.ask('exports after the fault', path);
    return (answer?.json as { readonly target?: string | null } | undefined)?.target;
  });
}

/** Waits until the fault has made a write of this kind fail. */
async function waitForFailedWrite({ history }: Load, kind: Kind): Promise<void> {
  const since = history.writes.length;
  await waitFor(() => history.writes.slice(since).some((write) => write.kind === kind && write.outcome !== 'acknowledged'));
}
