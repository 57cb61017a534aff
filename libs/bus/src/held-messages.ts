import type { JsMsg } from '@nats-io/jetstream';
import { errors } from '@nats-io/transport-node';
import { institutionOfSubject } from '@stechuhr/contracts';
import { sharedTick, type FairLimiter } from '@stechuhr/kernel';

/** The messages that this process has received and not acknowledged yet: some are being handled, the others wait. */
export class HeldMessages {
  private readonly held = new Set<JsMsg>();
  private heldBytes = 0;
  private heartbeat: NodeJS.Timeout | undefined;
  private readonly endOfTick = sharedTick();
  private notify: (() => void) | undefined;

  /** @param limited gives places to handlers, by institution */
  constructor(private readonly limited: FairLimiter) {}

  /** From now on the server is informed so often, in milliseconds, that held messages are not lost. */
  informEvery(heartbeatMs: number): void {
    clearInterval(this.heartbeat);
    this.heartbeat = setInterval(() => this.held.forEach((message) => tell(() => message.working())), heartbeatMs);
  }

  get size(): number {
    return this.held.size;
  }

  /** Of their payloads. */
  get bytes(): number {
    return this.heldBytes;
  }

  /**
   * Hands a message on as soon as there is a place; places are given in turns by institution, and in the order of taking within one.
   *
   * @param handle never rejects; returns whether to acknowledge the message, which otherwise got another reply
   */
  take(message: JsMsg, handle: (message: JsMsg) => Promise<boolean>): void {
    this.held.add(message);
    this.heldBytes += message.data.length;
    void this.limited(institutionOfSubject(message.subject) ?? '', () => handle(message)).then((isDone) =>
      isDone ? this.acknowledge(message) : this.release(message),
    );
  }

  /** Waits until at most so many are held, and so many bytes. */
  async atMost(count: number, bytes = Number.POSITIVE_INFINITY): Promise<void> {
    while (this.held.size > count || this.heldBytes > bytes) await new Promise<void>((resolve) => (this.notify = resolve));
  }

  /** Waits until none is held, and ends the heartbeat. */
  async close(): Promise<void> {
    await this.atMost(0);
    clearInterval(this.heartbeat);
  }

  /** Together with all others of this turn of the event loop: the client would write to its socket for each. */
  private async acknowledge(message: JsMsg): Promise<void> {
    await this.endOfTick();
    tell(() => message.ack());
    this.release(message);
  }

  private release(message: JsMsg): void {
    this.held.delete(message);
    this.heldBytes -= message.data.length;
    this.notify?.();
  }
}

/** Sends the server a reply to a message; without a connection the server delivers the message again. */
function tell(send: () => void): void {
  try {
    send();
  } catch (caught) {
    if (!(caught instanceof errors.ClosedConnectionError || caught instanceof errors.DrainingConnectionError)) throw caught;
  }
}
