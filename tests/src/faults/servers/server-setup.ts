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

/** Deviations from the default setup, which has one server of each kind, no small disks, and no gates between services. */
export type ServerSetupKind =
  'three NATS servers' | 'three NATS servers on small disks' | 'small disks' | 'volumes' | 'gates between services';

/** Components with separate disks in the setups with small disks. */
export type DiskName = 'temporary' | 'logs' | 'mongodb' | 'nats' | 's3';

/** Servers with separate volumes, which must not lose acknowledged data in a power failure. */
export type VolumeName = 'nats' | 's3';

type Disks = Readonly<Record<DiskName, Disk>>;
type Volumes = Readonly<Record<VolumeName, Volume>>;

/** The servers on which a stage runs. */
export interface ServerSetup {
  readonly infra: Infra;
  /** The NATS servers, if there are three. */
  readonly natsCluster: NatsCluster | undefined;
  /** Small disks, in the setup with small disks. */
  readonly disks: Disks | undefined;
  /** Volumes that can lose power, in the setup with volumes. */
  readonly volumes: Volumes | undefined;
  /** The disks of the NATS servers in their order, if there are three on small disks. */
  readonly natsDisks: readonly Disk[];
  /** The single NATS server on a small disk or volume. */
  readonly nats: LoneServer<string> | undefined;
  /** A gate in front of the object store, also for clients with signed URLs. */
  readonly s3: HttpGate;
  /** The receiver of webhooks. */
  readonly receiver: WebhookReceiver;
  /** State folder of the platform. */
  readonly home: Home;
  close(): Promise<void>;
}

/**
 * Starts the servers.
 *
 * @param natsConfiguration further lines for each NATS server
 */
export async function openServerSetup(kind?: ServerSetupKind, natsConfiguration = ''): Promise<ServerSetup> {
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
      return { configuration: largeStore(own) + natsConfiguration, end: () => disk.close() };
    };
    const natsCluster = await natsClusterOf(kind, onSmallDisk, natsConfiguration);
    ends.push(() => natsCluster?.stop());
    const nats = natsCluster === undefined ? await loneNatsOf(kind, servers, natsConfiguration) : undefined;
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
  configuration: string,
): Promise<NatsCluster | undefined> {
  if (kind === 'three NATS servers') return startNatsCluster(() => ({ configuration, end: () => undefined }));
  return kind === 'three NATS servers on small disks' ? startNatsCluster(onSmallDisk) : undefined;
}

async function loneNatsOf(kind: ServerSetupKind | undefined, home: Home, further: string): Promise<LoneServer<string> | undefined> {
  const configuration = (kind === 'small disks' ? largeStore(home) : kind === 'volumes' ? syncedStore(home) : '') + further;
  return configuration === '' ? undefined : startNats({ home, own: true, configuration });
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

/**
 * Returns a configuration with a large store limit. By default NATS uses no more than the free space at its start, so it could not meet a
 * disk that others have filled.
 */
function largeStore(home: Home, syncInterval = '10s'): string {
  return `jetstream { store_dir: ${JSON.stringify(home.folder('data', 'nats'))}, sync_interval: "${syncInterval}", max_file_store: 16GB }\n`;
}

/** Syncs each message to disk before the acknowledgement, because a single server has no replicas. */
const syncedStore = (home: Home): string => largeStore(home, 'always');
