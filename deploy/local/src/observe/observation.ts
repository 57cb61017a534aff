import { freePort, type Home, type Log, type Program } from '@stechuhr/local-infra';
import { startCompanion, type Companion } from './companion.js';
import { collector } from './collector.js';
import { findGrafana, grafana, provision } from './grafana.js';
import { startPageServer } from './page-server.js';
import { prometheus, type Targets } from './prometheus.js';

/** Where to look, in `run.json`; null is what could not be had on this machine. */
export interface ObservedAt {
  /** Grafana, else the same dashboards on a page. */
  readonly dashboards: string | null;
  readonly traces: string;
  readonly prometheus: string | null;
  readonly grafana: string | null;
  /** Where the services send their spans. */
  readonly otlp: string;
}

/** What watches the platform. */
export interface Observation {
  readonly at: ObservedAt;
  /** The variables that make services send their spans. */
  readonly settings: Readonly<Record<string, string>>;
  readonly companions: readonly Companion[];
  stop(): Promise<void>;
}

/** What to watch, and where to keep it. */
export interface ObservationOptions {
  readonly home: Home;
  readonly targets: Targets;
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
}

const ADVICE = {
  Prometheus: 'Install prometheus and start again; metrics stay at /metrics of each service.',
  collector: 'Install otelcol, or Go 1.25 or newer; the services send their spans to the page of traces themselves.',
  Grafana: 'The dashboards are on a built-in page instead. For Grafana, install it or set GRAFANA_BIN.',
} as const;

/** Starts what is available here, and reports what is missing with advice; only the pages always exist. */
export async function startObservation({ home, targets, env, log }: ObservationOptions): Promise<Observation> {
  const unlessMissing = async (name: keyof typeof ADVICE, program: () => Promise<Program<string>>): Promise<Companion | undefined> => {
    try {
      return await startCompanion(await program(), { home, log, port: await freePort() });
    } catch (error) {
      home.assertOpen();
      log(`${name} cannot be had here: ${error instanceof Error ? error.message : String(error)}. ${ADVICE[name]}`);
      return undefined;
    }
  };
  let metrics: Companion | undefined;
  const pages = await startPageServer(await freePort(), () => metrics?.url);
  const [spans] = await Promise.all([
    env['OTEL_EXPORTER_OTLP_ENDPOINT'] ? undefined : unlessMissing('collector', () => collector(pages.url, log)),
    unlessMissing('Prometheus', () => prometheus(targets, log)).then((started) => (metrics = started)),
  ]);
  const source = metrics?.url;
  const shown =
    source === undefined ? undefined : await unlessMissing('Grafana', async () => grafana(findGrafana(env), provision(home, source)));
  const companions = [spans, metrics, shown].filter((companion) => companion !== undefined);
  return {
    at: {
      dashboards: shown?.url ?? (source === undefined ? null : pages.url),
      traces: `${pages.url}/traces`,
      prometheus: source ?? null,
      grafana: shown?.url ?? null,
      otlp: env['OTEL_EXPORTER_OTLP_ENDPOINT'] ?? spans?.url ?? pages.url,
    },
    settings: env['OTEL_EXPORTER_OTLP_ENDPOINT'] ? {} : spanSettings(spans?.url, pages.url),
    companions,
    stop: async () => {
      await Promise.all(companions.map((companion) => companion.stop()));
      await pages.stop();
    },
  };
}

function spanSettings(collectorUrl: string | undefined, pagesUrl: string): Readonly<Record<string, string>> {
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl ?? pagesUrl,
    OTEL_EXPORTER_OTLP_PROTOCOL: collectorUrl === undefined ? 'http/json' : 'http/protobuf',
    // The page is looked at right after the request.
    OTEL_BSP_SCHEDULE_DELAY: '1000',
  };
}
