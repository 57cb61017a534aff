/**
 * Telemetry of a process. It must be loaded before everything else: `node --import @stechuhr/service/telemetry dist/main.js`.
 *
 * `OTEL_SDK_DISABLED=true` disables it. Spans are exported if an OTLP endpoint is set (by the standard variables); metrics are scraped at
 * `/metrics` of the admin port. Without an endpoint, calls still propagate trace ids, for the logs.
 */
import { register as registerLoader } from 'node:module';
import { register, supportsSyncHooks } from 'import-in-the-middle/register-hooks.mjs';

const INSTRUMENTED = ['http', 'https', 'node:http', 'node:https', '@grpc/grpc-js', 'mongodb', 'ioredis'];

if (process.env.OTEL_SDK_DISABLED !== 'true') {
  // Registered before any instrumented module is loaded: an ES module that was linked without the hook can never be instrumented.
  if (supportsSyncHooks()) register({ include: INSTRUMENTED });
  else registerLoader('import-in-the-middle/hook.mjs', import.meta.url, { data: { include: INSTRUMENTED } });
  const { startTelemetry } = await import('./telemetry/start.js');
  await startTelemetry();
}
