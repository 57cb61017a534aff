import { SpanStatusCode, trace } from '@opentelemetry/api';
import { flushTelemetry } from '@stechuhr/service';

/** Runs a command as the root span of its trace, and exports the spans before the process ends. Without the telemetry preload this does nothing. */
export async function traced(command: string, run: () => Promise<number>): Promise<number> {
  try {
    return await trace.getTracer('@stechuhr/cli').startActiveSpan(`stechuhr ${command}`, async (span) => {
      try {
        const exitCode = await run();
        span.setAttribute('process.exit.code', exitCode);
        return exitCode;
      } catch (caught) {
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw caught;
      } finally {
        span.end();
      }
    });
  } finally {
    await flushTelemetry();
  }
}
