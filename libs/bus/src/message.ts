import type { JsMsg } from '@nats-io/jetstream';
import { AppError } from '@stechuhr/kernel';

/** A message as its handler sees it. */
export interface BusMessage {
  readonly subject: string;
  readonly payload: Uint8Array;
  /** Name of the stream, that is, of the partition. */
  readonly stream: string;
  /** Position in the stream, which increases with each message: the order of writes to one record. */
  readonly streamSequence: number;
  /** 1 for the first delivery. */
  readonly deliveries: number;
  /** When the stream stored it. */
  readonly storedAt: Date;
  /** The value of a header; `undefined` if the message does not have it. */
  header(name: string): string | undefined;
  /**
   * The payload as text.
   * @throws AppError `invalid` if it is not UTF-8
   */
  text(): string;
  /**
   * The payload as JSON.
   * @throws AppError `invalid` if it is not JSON
   */
  json(): unknown;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Wraps a JetStream message without its acknowledgement methods. Fields are read lazily, because the client parses them from a text. */
export function toBusMessage(message: JsMsg): BusMessage {
  const text = () => {
    try {
      return utf8.decode(message.data);
    } catch (cause) {
      throw new AppError('invalid', 'The message is not UTF-8.', { cause });
    }
  };
  return {
    subject: message.subject,
    payload: message.data,
    get stream() {
      return message.info.stream;
    },
    get streamSequence() {
      return message.seq;
    },
    get deliveries() {
      return message.info.deliveryCount;
    },
    get storedAt() {
      return message.time;
    },
    header: (name) => message.headers?.get(name) || undefined,
    text,
    json() {
      const body = text();
      try {
        return JSON.parse(body) as unknown;
      } catch (cause) {
        throw new AppError('invalid', `The message is no JSON: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
      }
    },
  };
}
