import { afterEach, describe, expect, it } from '@jest/globals';
import { exportsSpans, fillEnvironment, readSampling } from './config.js';

const NAMES = [
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
  'OTEL_SERVICE_NAME',
  'OTEL_TRACES_EXPORTER',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
];
const before = Object.fromEntries(NAMES.map((name) => [name, process.env[name]]));

function set(variables: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}

afterEach(() => set(before));

/** https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/#general-sdk-configuration */
describe('the sampler of the environment', () => {
  it.each([
    [undefined, undefined, true, 1],
    ['always_on', undefined, false, 1],
    ['always_off', undefined, false, 0],
    ['parentbased_always_on', undefined, true, 1],
    ['parentbased_always_off', undefined, true, 0],
    ['traceidratio', '0.25', false, 0.25],
    ['parentbased_traceidratio', '0.25', true, 0.25],
    ['parentbased_traceidratio', '0', true, 0],
    ['parentbased_traceidratio', undefined, true, 1],
    ['parentbased_traceidratio', ' ', true, 1],
    ['traceidratio', '1.5', false, 1],
    ['traceidratio', 'half', false, 1],
    ['always_on', '0.25', false, 1],
    ['jaeger_remote', '0.25', true, 1],
  ])('%s with %s: follows the caller: %s, otherwise records the ratio %s', (sampler, argument, followsCaller, ratio) => {
    set({ OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: argument });
    expect(readSampling()).toEqual({ followsCaller, ratio });
  });
});

/** https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/#parsing-empty-value */
describe('an empty variable', () => {
  it('counts as not set beside the one that names where spans go', () => {
    set({ OTEL_TRACES_EXPORTER: '', OTEL_EXPORTER_OTLP_ENDPOINT: '', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: undefined });
    expect(exportsSpans()).toBe(false);
    set({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:4318/v1/traces' });
    expect(exportsSpans()).toBe(true);
  });

  it('counts as no name of the service', () => {
    set({ OTEL_SERVICE_NAME: '' });
    fillEnvironment('records');
    expect(process.env.OTEL_SERVICE_NAME).toBe('records');
  });
});
