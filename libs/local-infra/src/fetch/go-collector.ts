import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../process/run-command.js';
import { cached, type Cache } from './cached.js';
import { goProgram } from './go-program.js';
import { anyGo } from './go-toolchain.js';

/** Newer ones need a module that not every proxy serves. */
const VERSION = '0.120.0';
const PROVIDERS_VERSION = '1.26.0';
const BUILDER = { path: 'go.opentelemetry.io/collector/cmd/builder', version: `v${VERSION}`, name: 'builder' };
const BUILD_TIMEOUT_MS = 900_000;

const component = (path: string, version = VERSION): { gomod: string } => ({ gomod: `go.opentelemetry.io/collector/${path} v${version}` });

/** What a collector on one machine needs, and nothing else: the distributions that OpenTelemetry publishes are ten times as large. */
const COMPONENTS = {
  receivers: [component('receiver/otlpreceiver')],
  processors: [component('processor/batchprocessor')],
  exporters: [component('exporter/otlphttpexporter'), component('exporter/debugexporter')],
  // Both: without the second it does not start.
  providers: ['file', 'env'].map((scheme) => component(`confmap/provider/${scheme}provider`, PROVIDERS_VERSION)),
};

/** The OpenTelemetry collector, made by its own builder; the modules' checksums are verified by Go. */
export async function goCollector(cache: Cache): Promise<string> {
  const folder = await cached(cache, {
    name: `otelcol-${VERSION}-${process.platform}-${process.arch}`,
    what: 'building an OpenTelemetry collector with Go (once, some minutes)',
    make: async (draft) => {
      const [go, builder] = [await anyGo(cache), await goProgram(cache, BUILDER, () => anyGo(cache))];
      const sources = join(draft, 'sources');
      const manifest = join(draft, 'builder.json');
      const dist = { name: 'otelcol', description: 'OpenTelemetry collector', version: VERSION, output_path: sources, go };
      writeFileSync(manifest, JSON.stringify({ dist, ...COMPONENTS }));
      const env = { ...process.env, GOFLAGS: '-mod=mod', GOWORK: 'off', GOTOOLCHAIN: 'auto', CGO_ENABLED: '0' };
      await runCommand(builder, ['--config', manifest], { cwd: draft, env, timeoutMs: BUILD_TIMEOUT_MS });
    },
  });
  return join(folder, 'sources', 'otelcol');
}
