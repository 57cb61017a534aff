import { Home, startInfra, type Infra } from '@stechuhr/local-infra';
import { openHttpGate, startWebhookReceiver, type HttpGate, type WebhookReceiver } from '@stechuhr/testing';

/** The servers of a stage. */
export interface Ground {
  readonly infra: Infra;
  /** Before the object store; also clients of signed addresses come here. */
  readonly s3: HttpGate;
  /** Where webhooks are sent. */
  readonly receiver: WebhookReceiver;
  /** State of the platform. */
  readonly home: Home;
  close(): Promise<void>;
}

/** Starts the servers. */
export async function openGround(): Promise<Ground> {
  const [servers, home] = [await Home.temporary(), await Home.temporary()];
  const ends: (() => Promise<unknown>)[] = [() => home.close(), () => servers.close()];
  const close = async () => {
    for (const end of ends.toReversed()) await end();
  };
  try {
    const infra = await startInfra({ home: servers, own: true });
    ends.push(() => infra.stop());
    const s3 = await openHttpGate(new URL(infra.s3.endpoint).host);
    ends.push(() => s3.stop());
    const receiver = await startWebhookReceiver();
    ends.push(() => receiver.stop());
    return { infra, s3, receiver, home, close };
  } catch (failure) {
    await close();
    throw failure;
  }
}
