import { cloudEventSchema } from '@stechuhr/contracts';
import type { StoredMessage } from '@stechuhr/bus';
import { Failure } from '../failure.js';
import { writeSlowly, type Output } from '../output.js';
import { printable } from '../printable.js';
import { untilInterrupted } from '../until-interrupted.js';
import { withBus } from '../with-bus.js';
import { eventQuery, type EventOptions } from './event-query.js';

/** Prints events as they arrive, until interrupted. */
export function runTail(options: EventOptions, output: Output): Promise<number> {
  const query = eventQuery(options);
  return withBus(async (bus) => {
    await untilInterrupted(async (signal) => {
      for await (const message of bus.browse({ ...query, follow: true, signal })) {
        await writeSlowly(process.stdout, `${output.isJson ? textOf(message) : printable(describe(message))}\n`);
      }
    });
    return 0;
  });
}

/**
 * Prints the stored events, one JSON object per line.
 * @throws Failure if it is interrupted before the last one, because its reader cannot tell
 */
export function runReplay(options: EventOptions): Promise<number> {
  const query = eventQuery(options);
  return withBus(async (bus) => {
    const isInterrupted = await untilInterrupted(async (signal) => {
      for await (const message of bus.browse({ ...query, signal })) await writeSlowly(process.stdout, `${textOf(message)}\n`);
    });
    if (isInterrupted) throw new Failure('It was interrupted: later events are missing.', 1);
    return 0;
  });
}

function textOf({ payload }: StoredMessage): string {
  return Buffer.from(payload).toString('utf8');
}

/** Time, type and subject of an event; other messages are printed unchanged. */
function describe(message: StoredMessage): string {
  const parsed = cloudEventSchema.safeParse(jsonOf(textOf(message)));
  if (!parsed.success) return `${message.storedAt.toISOString()}  ${message.subject}  ${textOf(message)}`;
  const { time, type, subject, institutionid } = parsed.data;
  return `${time}  ${type.replace(/^stechuhr\.|\.v\d+$/gu, '')}  ${subject}  (institution ${institutionid})`;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
