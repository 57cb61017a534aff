import { join } from 'node:path';
import { Home, startInfra, startNats, type Infra, type LoneServer } from '@stechuhr/local-infra';
import {
  openHttpGate,
  startNatsCluster,
  startWebhookReceiver,
  type HttpGate,
  type MemberSetup,
  type NatsCluster,
  type WebhookReceiver,
} from '@stechuhr/testing';
import { openDisk, type Disk } from './disks.js';
import { openVolume, type Volume } from './volume.js';

/** How the servers differ from the usual: one of each, on disks with room, and without gates between services. */
export type ServerSetupKind =
  'three NATS servers' | 'three NATS servers on small disks' | 'small disks' | 'volumes' | 'gates between services';

/** What has a disk of its own, where disks are small. */
export type DiskName = 'temporary' | 'logs' | 'mongodb' | 'nats' | 's3';

/** What keeps what it acknowledged when power is lost, and has a volume of its own to show it. */
export type VolumeName = 'nats' | 's3';

type Disks = Readonly<Record<DiskName, Disk>>;
type Volumes = Readonly<Record<VolumeName, Volume>>;

/** The servers on which a stage runs. */
export interface ServerSetup {
  readonly infra: Infra;
  /** The servers of NATS, where there are three. */
  readonly natsCluster: NatsCluster | undefined;
  /** Where disks are small. */
  readonly disks: Disks | undefined;
  /** Where power can be lost. */
  readonly volumes: Volumes | undefined;
  /** Of the servers of NATS, in their order, where there are three on small disks. */
  readonly natsDisks: readonly Disk[];
  /** The server of NATS on a small disk, or on a volume. */
  readonly nats: LoneServer<string> | undefined;
  /** Before the object store; also clients of signed addresses come here. */
  readonly s3: HttpGate;
  /** Where webhooks are sent. */
  readonly receiver: WebhookReceiver;
  /** State of the platform. */
  readonly home: Home;
  close(): Promise<void>;
}

/** Starts the servers. */
export async function openServerSetup(kind?: ServerSetupKind): Promise<ServerSetup> {
  const [servers, home] = [await Home.temporary(), await Home.temporary()];
  const ends: (() => unknown)[] = [() => home.close(), () => servers.close()];
  const close = async () => {
    for (const end of ends.toReversed()) await end();
  };
  try {
    const disks = kind === 'small disks' ? openDisks(servers, home) : undefined;
    for (const disk of Object.values(disks ?? {})) ends.push(() => disk.close());
    const volumes = kind === 'volumes' ? openVolumes(servers) : undefined;
    for (const volume of Object.values(volumes ?? {})) ends.push(() => volume.close());
    const natsDisks: Disk[] = [];
    const onSmallDisk = (own: Home, member: number): MemberSetup => {
      const disk = openDisk(own.folder('data', 'nats'), 64);
      natsDisks[member] = disk;
      return { configuration: largeStore(own), end: () => disk.close() };
    };
    const natsCluster = await natsClusterOf(kind, onSmallDisk);
    ends.push(() => natsCluster?.stop());
    const nats = await loneNatsOf(kind, servers);
    ends.push(() => nats?.stop());
    const natsUrl = natsCluster?.url ?? nats?.address;
    const infra = await startInfra({ home: servers, own: true, running: natsUrl === undefined ? {} : { NATS_URL: natsUrl } });
    ends.push(() => infra.stop());
    const s3 = await openHttpGate(new URL(infra.s3.endpoint).host);
    ends.push(() => s3.stop());
    const receiver = await startWebhookReceiver();
    ends.push(() => receiver.stop());
    return { infra, natsCluster, natsDisks, disks, volumes, s3, receiver, home, nats, close };
  } catch (failure) {
    await close();
    throw failure;
  }
}

async function natsClusterOf(
  kind: ServerSetupKind | undefined,
  onSmallDisk: (home: Home, member: number) => MemberSetup,
): Promise<NatsCluster | undefined> {
  if (kind === 'three NATS servers') return startNatsCluster();
  return kind === 'three NATS servers on small disks' ? startNatsCluster(onSmallDisk) : undefined;
}

async function loneNatsOf(kind: ServerSetupKind | undefined, home: Home): Promise<LoneServer<string> | undefined> {
  if (kind === 'small disks') return startNats({ home, own: true, configuration: largeStore(home) });
  return kind === 'volumes' ? startNats({ home, own: true, configuration: syncedStore(home) }) : undefined;
}

function openDisks(servers: Home, home: Home): Disks {
  return {
    temporary: openDisk(home.folder('tmp'), 16),
    logs: openDisk(home.folder('logs'), 64),
    mongodb: openDisk(servers.folder('data', 'mongodb'), 512),
    nats: openDisk(servers.folder('data', 'nats'), 64),
    s3: openDisk(servers.folder('data', 's3'), 256),
  };
}

function openVolumes(servers: Home): Volumes {
  const open = (name: VolumeName): Volume => openVolume(servers.folder('data', name), join(servers.folder('volumes'), name), 1_024);
  return { nats: open('nats'), s3: open('s3') };
}

/** NATS would take no more of a disk than is there when it starts, and no stream that may become larger; a disk that others fill is another case. */
function largeStore(home: Home, syncInterval = '10s'): string {
  return `jetstream { store_dir: ${JSON.stringify(home.folder('data', 'nats'))}, sync_interval: "${syncInterval}", max_file_store: 8GB }\n`;
}

/** What one server has acknowledged is on its disk: there is no other that has it, too. */
const syncedStore = (home: Home): string => largeStore(home, 'always');
