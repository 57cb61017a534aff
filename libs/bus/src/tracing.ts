import { randomBytes } from 'node:crypto';
import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
  type SpanOptions,
  type TextMapGetter,
  type TextMapSetter,
} from '@opentelemetry/api';
import type { MsgHdrs } from '@nats-io/transport-node';
import { shownSubject } from '@stechuhr/contracts';

// NATS has no instrumentation that could be loaded, so the bus creates its spans itself.
const tracer = trace.getTracer('@stechuhr/bus');

const setter: TextMapSetter<MsgHdrs> = { set: (headers, key, value) => headers.set(key, value) };
const getter: TextMapGetter<MsgHdrs> = { get: (headers, key) => headers.get(key) || undefined, keys: (headers) => headers.keys() };

/** Writes a trace into the headers of a message. */
export function injectTrace(traced: Context, headers: MsgHdrs): void {
  propagation.inject(traced, headers, setter);
}

/**
 * Publishes within a span. It does not become the active one, which would cost as much as the rest of it.
 * @param traceparent the cause of the message, if that is not the active span
 * @param task receives the context of the span, for the headers
 */
export function withProducerSpan<T>(subject: string, traceparent: string | undefined, task: (traced: Context) => Promise<T>): Promise<T> {
  const parent = traceparent === undefined ? context.active() : propagation.extract(context.active(), { traceparent });
  const description = { name: `publish ${channelOf(subject)}`, kind: SpanKind.PRODUCER, parent, subject };
  const span = tracer.startSpan(description.name, optionsOf(description), parent);
  return finish(span, () => task(trace.setSpan(parent, span)));
}

/** Runs the handling of a message in a span that continues the trace of its headers. */
export function withConsumerSpan<T>(
  durable: string,
  message: { subject: string; headers: MsgHdrs | undefined },
  task: () => Promise<T>,
): Promise<T> {
  const parent = message.headers ? propagation.extract(context.active(), message.headers, getter) : context.active();
  const attributes = { 'messaging.consumer.group.name': durable };
  return inSpan(
    { name: `process ${channelOf(message.subject)}`, kind: SpanKind.CONSUMER, parent, subject: message.subject, attributes },
    task,
  );
}

/**
 * Runs a task that continues a trace, whatever was active before: for work that was stored, and may be done by another process.
 * @param traceparent W3C Trace Context of the cause; without one, every span of the task begins a new trace
 */
export function withinTrace<T>(traceparent: string | undefined, task: () => T): T {
  return context.with(traceparent === undefined ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, { traceparent }), task);
}

/** The W3C form of the active span; `undefined` without one. */
export function activeTraceparent(): string | undefined {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
}

/** The W3C form of a new trace. */
export function newTraceparent(): string {
  return `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`;
}

interface SpanDescription {
  readonly name: string;
  readonly kind: SpanKind;
  readonly parent: Context;
  readonly subject: string;
  readonly attributes?: Attributes;
}

function inSpan<T>(description: SpanDescription, task: () => Promise<T>): Promise<T> {
  return tracer.startActiveSpan(description.name, optionsOf(description), description.parent, (span) => finish(span, task));
}

function optionsOf({ kind, subject, attributes }: SpanDescription): SpanOptions {
  return { kind, attributes: { 'messaging.system': 'nats', 'messaging.destination.name': shownSubject(subject), ...attributes } };
}

async function finish<T>(span: Span, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (caught) {
    span.setStatus({ code: SpanStatusCode.ERROR, message: caught instanceof Error ? caught.message : String(caught) });
    throw caught;
  } finally {
    span.end();
  }
}

const ID_OR_NUMBER = /[0-9a-f]{8}-|^\d+$/;

/** A name with few values: the subject without the ids and numbers in it. */
function channelOf(subject: string): string {
  return shownSubject(subject)
    .split('.')
    .filter((part) => !ID_OR_NUMBER.test(part))
    .join('.');
}
