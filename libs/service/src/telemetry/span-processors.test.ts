import { afterEach, describe, expect, it } from '@jest/globals';
import { ROOT_CONTEXT, SpanKind, trace, TraceFlags, type Attributes } from '@opentelemetry/api';
import { SamplingDecision } from '@opentelemetry/sdk-trace';
import { createSampler } from './span-processors.js';

const { OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG } = process.env;
afterEach(() => set(OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG));

function set(sampler: string | undefined, argument: string | undefined): void {
  for (const [name, value] of Object.entries({ OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: argument })) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}

const HTTP: Attributes = { 'http.request.method': 'GET' };
const RPC: Attributes = { 'rpc.system': 'grpc' };
/** The smallest trace id, which every ratio above 0 selects. */
const TRACE_ID = '0'.repeat(31) + '1';

/** Returns whether the span of a request is recorded whose sender has made this decision. */
function isRecorded(sent: TraceFlags, attributes: Attributes): boolean {
  const parent = { traceId: TRACE_ID, spanId: '00f067aa0ba902b7', traceFlags: sent, isRemote: true };
  const context = trace.setSpanContext(ROOT_CONTEXT, parent);
  const { decision } = createSampler().shouldSample(context, TRACE_ID, 'request', SpanKind.SERVER, attributes, []);
  return decision === SamplingDecision.RECORD_AND_SAMPLED;
}

describe('the sampler', () => {
  const [YES, NO] = [TraceFlags.SAMPLED, TraceFlags.NONE];
  it.each<readonly [string, Parameters<typeof set>, Parameters<typeof isRecorded>, boolean]>([
    ['lets no client of the API choose to be recorded', ['parentbased_always_off', undefined], [YES, HTTP], false],
    ['lets no client choose it by the trace id either', ['parentbased_traceidratio', '0.000000001'], [YES, HTTP], false],
    ['lets no client hide its requests', [undefined, undefined], [NO, HTTP], true],
    ['follows a service that records', ['parentbased_always_off', undefined], [YES, RPC], true],
    ['follows a service that does not record', [undefined, undefined], [NO, RPC], false],
    ['follows nobody if it shall not', ['always_off', undefined], [YES, RPC], false],
  ])('%s', (_, variables, request, recorded) => {
    set(...variables);
    expect(isRecorded(...request)).toBe(recorded);
  });
});
