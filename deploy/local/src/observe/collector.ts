import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { provideTool, type Log, type Program } from '@stechuhr/local-infra';
import { answers } from './companion.js';

/** The collector's configuration: it takes traces as OTLP over HTTP and sends them to the page of traces. JSON is YAML. */
export function collectorConfig(port: number, tracesUrl: string): object {
  return {
    receivers: { otlp: { protocols: { http: { endpoint: `127.0.0.1:${port}` } } } },
    processors: { batch: { timeout: '1s' } },
    exporters: { otlphttp: { endpoint: tracesUrl, encoding: 'json', compression: 'none' } },
    service: {
      // Its own metrics would need another port.
      telemetry: { metrics: { level: 'none' } },
      pipelines: { traces: { receivers: ['otlp'], processors: ['batch'], exporters: ['otlphttp'] } },
    },
  };
}

/** An OpenTelemetry collector; its address is what `OTEL_EXPORTER_OTLP_ENDPOINT` takes. */
export async function collector(tracesUrl: string, log: Log): Promise<Program<string>> {
  const command = await provideTool('otelcol', log);
  return {
    name: 'otelcol',
    description: 'OpenTelemetry collector',
    probe: (url) => answers(`${url}/v1/traces`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }),
    launch: async ({ folder, port }) => {
      const file = join(folder, 'otelcol.json');
      writeFileSync(file, JSON.stringify(collectorConfig(port, tracesUrl), null, 2));
      return { command, args: ['--config', file], address: `http://127.0.0.1:${port}` };
    },
  };
}
