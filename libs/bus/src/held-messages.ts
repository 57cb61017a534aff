import type { JsMsg } from '@nats-io/jetstream';
import { errors } from '@nats-io/transport-node';
import { institutionOfSubject } from '@stechuhr/contracts';
import { sharedTick, type FairLimiter } from '@stechuhr/kernel';

const HEARTBEAT_PARTS = 10;

/** Messages that this process has received and not acknowledged yet: some are being handled, the others wait. */
export class HeldMessages {
  /** When the server last heard of each, by `performance.now()`; the earliest are first. */
  private readonly held = new Map<JsMsg, number>();
  private heldBytes = 0;
  private heartbeat: NodeJS.Timeout | undefined;
  private readonly endOfTick = sharedTick();
  /** Resolves when the next message is released. */
  private released: PromiseWithResolvers<void> | undefined;

  /** @param limited assigns handler slots, fairly by institution */
  constructor(private readonly limited: FairLimiter) {}

  /**
   * From now on, sends a heartbeat for each held message at about this interval, in milliseconds, so that it is not redelivered. Tens of thousands
   * at once would keep the event loop busy for a tenth of a second, so each is due by its own time.
   */
  informEvery(heartbeatMs: number): void {
    clearInterval(this.heartbeat);
    this.heartbeat = setInterval(() => this.informOf(performance.now() - heartbeatMs), heartbeatMs / HEARTBEAT_PARTS);
  }

  /** Sends a heartbeat for the messages of which the server has not heard since. */
  private informOf(since: number): void {
    const now = performance.now();
    for (const [message, informedAt] of this.held) {
      if (informedAt > since) return;
      sendReply(() => message.working());
      this.held.delete(message);
      this.held.set(message, now);
    }
  }

  get size(): number {
    return this.held.size;
  }

  /** The size of their payloads. */
  get bytes(): number {
    return this.heldBytes;
  }

  /**
   * Passes a message to the handler as soon as there is a slot. Slots are assigned fairly between institutions, and in order within one.
   * @param handle never rejects; returns whether to acknowledge the message, which otherwise got another reply
   */
  take(message: JsMsg, handle: (message: JsMsg) => Promise<boolean>): void {
    this.held.set(message, performance.now());
    this.heldBytes += message.data.length;
    void this.limited(institutionOfSubject(message.subject) ?? '', () => handle(message)).then((isDone) =>
      isDone ? this.acknowledge(message) : this.release(message),
    );
  }

  /** Waits until at most so many messages and bytes are held. */
  async atMost(count: number, bytes = Number.POSITIVE_INFINITY): Promise<void> {
    while (this.held.size > count || this.heldBytes > bytes) await (this.released ??= Promise.withResolvers<void>()).promise;
  }

  /** Waits until none is held, and stops the heartbeat. */
  async close(): Promise<void> {
    await this.atMost(0);
    clearInterval(this.heartbeat);
  }

  /** Sent together with others of the same turn of the event loop, since the client would write to its socket for each. */
  private async acknowledge(message: JsMsg): Promise<void> {
    await this.endOfTick();
    sendReply(() => message.ack());
    this.release(message);
  }

  private release(message: JsMsg): void {
    this.held.delete(message);
    this.heldBytes -= message.data.length;
    this.released?.resolve();
    this.released = undefined;
  }
}

/** Sends a reply to a message; without a connection it fails silently, and the server redelivers the message. */
function sendReply(send: () => void): void {
  try {
    send();
  } catch (caught) {
    if (!(caught instanceof errors.ClosedConnectionError || caught instanceof errors.DrainingConnectionError)) throw caught;
  }
}
