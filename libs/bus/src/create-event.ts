import { eventSubject, type CloudEvent, type EventType } from '@stechuhr/contracts';
import { newTimeOrderedId, type Clock } from '@stechuhr/kernel';
import { activeTraceparent, newTraceparent } from './tracing.js';

/** The fields of an event that its creator provides. */
export interface EventInput {
  readonly type: EventType;
  readonly institutionId: string;
  /** Ids and numbers, by the catalogue; `id` is the record's. */
  readonly data: { readonly id: string } & Readonly<Record<string, unknown>>;
  readonly clock: Clock;
  /** W3C Trace Context of what caused it, for events that are made when that has long ended. */
  readonly traceparent?: string | undefined;
}

/**
 * Makes an event ready for an outbox: with a new id, the present time and the trace of the active span. Where there is neither a span nor a
 * cause, as in a command without telemetry, its trace begins with it: whatever it leads to has one.
 */
export function createEvent({ type, institutionId, data, clock, traceparent: cause }: EventInput): CloudEvent {
  return {
    specversion: '1.0',
    // Events that wait are published in the order of their ids.
    id: newTimeOrderedId(),
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
  // An event in an outbox was made by createEvent, which takes types of the catalogue alone.
  return eventSubject(event.institutionid, type as EventType);
}
