import { Home, startInfra, type Infra } from '@stechuhr/local-infra';
import {
  openHttpGate,
  startNatsCluster,
  startWebhookReceiver,
  type HttpGate,
  type NatsCluster,
  type WebhookReceiver,
} from '@stechuhr/testing';

/** Servers other than one of each. */
export type GroundKind = 'three NATS servers';

/** The servers of a stage. */
export interface Ground {
  readonly infra: Infra;
  /** The servers of NATS, where there are three. */
  readonly natsCluster: NatsCluster | undefined;
  /** Before the object store; also clients of signed addresses come here. */
  readonly s3: HttpGate;
  /** Where webhooks are sent. */
  readonly receiver: WebhookReceiver;
  /** State of the platform. */
  readonly home: Home;
  close(): Promise<void>;
}

/** Starts the servers. */
export async function openGround(kind?: GroundKind): Promise<Ground> {
  const [servers, home] = [await Home.temporary(), await Home.temporary()];
  const ends: (() => unknown)[] = [() => home.close(), () => servers.close()];
  const close = async () => {
    for (const end of ends.toReversed()) await end();
  };
  try {
    const natsCluster = kind === 'three NATS servers' ? await startNatsCluster() : undefined;
    ends.push(() => natsCluster?.stop());
    const infra = await startInfra({ home: servers, own: true, running: natsCluster === undefined ? {} : { NATS_URL: natsCluster.url } });
    ends.push(() => infra.stop());
    const s3 = await openHttpGate(new URL(infra.s3.endpoint).host);
    ends.push(() => s3.stop());
    const receiver = await startWebhookReceiver();
    ends.push(() => receiver.stop());
    return { infra, natsCluster, s3, receiver, home, close };
  } catch (failure) {
    await close();
    throw failure;
  }
}
