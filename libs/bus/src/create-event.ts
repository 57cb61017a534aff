import { eventSubject, type CloudEvent, type EventType } from '@stechuhr/contracts';
import { newTimeOrderedId, type Clock } from '@stechuhr/kernel';
import { activeTraceparent, newTraceparent } from './tracing.js';

/** The fields of an event that its creator provides. */
export interface EventInput {
  readonly type: EventType;
  readonly institutionId: string;
  /** Ids and numbers, as listed in the catalogue; `id` is that of the record. */
  readonly data: { readonly id: string } & Readonly<Record<string, unknown>>;
  readonly clock: Clock;
  /** Time-ordered, for an event that several processes may create; new by default. */
  readonly id?: string;
  /** W3C Trace Context of the cause, for events that are created after its span has ended. */
  readonly traceparent?: string | undefined;
}

/**
 * Creates an event for an outbox, with a new id, the current time and the trace of the active span. Without a span or a cause, as in a command
 * without telemetry, a new trace begins, so that everything that follows belongs to a trace.
 */
export function createEvent({ type, institutionId, data, clock, id = newTimeOrderedId(), traceparent: cause }: EventInput): CloudEvent {
  return {
    specversion: '1.0',
    // Unpublished events are published in the order of their ids.
    id,
    type: `stechuhr.${type}.v1`,
    source: `/stechuhr/${type.split('.')[0]}`,
    subject: data.id,
    time: new Date(clock.now()).toISOString(),
    datacontenttype: 'application/json',
    dataschema: `urn:stechuhr:event:${type}:v1`,
    traceparent: activeTraceparent() ?? cause ?? newTraceparent(),
    institutionid: institutionId,
    data,
  };
}

/** The subject that an event is published on: `stechuhr.events.<institution_id>.<service>.<entity>.<verb>`. */
export function subjectOf(event: Pick<CloudEvent, 'type' | 'institutionid'>): string {
  const type = event.type.replace(/^stechuhr\.|\.v\d+$/g, '');
  // Events in an outbox are created by createEvent, which accepts types of the catalogue only.
  return eventSubject(event.institutionid, type as EventType);
}
