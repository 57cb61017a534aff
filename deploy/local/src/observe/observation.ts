import { freePort, type Home, type Log, type Program } from '@stechuhr/local-infra';
import { keepRunning } from '../keep-running.js';
import { startCompanion, type Companion } from './companion.js';
import { findGrafana, grafana, provision } from './grafana.js';
import { prometheus, type Targets } from './prometheus.js';
import { fetchViewers, type Viewers } from './viewers.js';
import { startViewerServer } from './viewer-server.js';

/**
 * Addresses of the observability tools, as written to `run.json`. The programs behind them start in the background and may fail to start;
 * the output of `npm start` reports both.
 */
export interface ObservedAt {
  /** Grafana if it is installed, otherwise vmui. */
  readonly dashboards: string;
  /** Jaeger's pages; a trace is at `<traces>/trace/<trace id>`. Null if the spans are sent elsewhere. */
  readonly traces: string | null;
  readonly prometheus: string;
  /** Null if Grafana is not installed. */
  readonly grafana: string | null;
  /** The OTLP endpoint to which the services send their spans. */
  readonly otlp: string;
}

/** The running observability tools. */
export interface Observation {
  readonly at: ObservedAt;
  /** Environment variables that make services send their spans here. */
  readonly settings: Readonly<Record<string, string>>;
  /** Starts the companions in the background, logs when each is ready, and keeps them running until the signal aborts. */
  begin(stopping: AbortSignal): void;
  stop(): Promise<void>;
}

/** What to observe, and where to keep the data. */
export interface ObservationOptions {
  readonly home: Home;
  readonly targets: Targets;
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
  /** How companions are fetched. */
  readonly sources?: Sources;
}

/** Each promise resolves when the companion has been fetched, and rejects if it cannot be. */
export interface Sources {
  prometheus(targets: Targets, log: Log): Promise<Program<string>>;
  viewers(log: Log): Promise<Viewers>;
}

const ADVICE = {
  Prometheus: 'Install prometheus and start again; metrics remain available at /metrics of each service.',
  viewers: 'Install Go, or Python with pip, and start again; traces remain available at /api/traces.',
  Grafana: 'The dashboards are in vmui.',
} as const;

/** Accepts spans immediately, so that services can be started. Companions start only with `begin`. */
export async function startObservation(options: ObservationOptions): Promise<Observation> {
  const { home, targets, env, log, sources = { prometheus, viewers: fetchViewers } } = options;
  const [viewerPort, prometheusPort, grafanaPort] = await Promise.all([freePort(), freePort(), freePort()]);
  const at = (port: number): string => `http://127.0.0.1:${port}`;
  const pages = await startViewerServer(viewerPort, { prometheus: at(prometheusPort), services: Object.keys(targets) });
  const installed = installedGrafana(env);
  const launches: Promise<Companion>[] = [];

  async function startTool(name: keyof typeof ADVICE, url: string, work: () => Promise<string>, stopping: AbortSignal): Promise<void> {
    const began = performance.now();
    const say = (line: string): void => (stopping.aborted ? undefined : log(line));
    try {
      say(`${await work()}: ready at ${url} after ${((performance.now() - began) / 1000).toFixed(1)} s`);
    } catch (error) {
      const reason = `${name} could not be started: ${error instanceof Error ? error.message : String(error)}. ${ADVICE[name]}`;
      if (name === 'viewers') pages.showNothing(reason);
      say(reason);
    }
  }

  async function run(program: Program<string>, port: number, stopping: AbortSignal): Promise<string> {
    stopping.throwIfAborted();
    const launch = startCompanion(program, { home, log, port });
    launches.push(launch);
    void keepRunning(await launch, log, stopping);
    return program.description;
  }

  const elsewhere = env['OTEL_EXPORTER_OTLP_ENDPOINT'];
  const dashboards = installed === undefined ? `${pages.url}/vmui/#/dashboards` : at(grafanaPort);
  return {
    at: {
      dashboards,
      traces: elsewhere ? null : pages.url,
      prometheus: at(prometheusPort),
      grafana: installed === undefined ? null : at(grafanaPort),
      otlp: elsewhere ?? pages.url,
    },
    settings: elsewhere ? {} : spanSettings(pages.url),
    begin: (stopping) => {
      const metrics = async (): Promise<string> => run(await sources.prometheus(targets, log), prometheusPort, stopping);
      const viewers = async (): Promise<string> => {
        pages.show(await sources.viewers(log));
        return "Jaeger's pages and vmui";
      };
      void startTool('Prometheus', at(prometheusPort), metrics, stopping);
      void startTool('viewers', `${pages.url} and ${pages.url}/vmui/`, viewers, stopping);
      if (installed === undefined) return;
      const provisioning = provision(home, at(prometheusPort));
      void startTool('Grafana', at(grafanaPort), () => run(grafana(installed, provisioning), grafanaPort, stopping), stopping);
    },
    stop: async () => {
      const launched = await Promise.allSettled(launches);
      const running = launched.filter((launch) => launch.status === 'fulfilled');
      await Promise.all(running.map(({ value }) => value.stop()));
      await pages.stop();
    },
  };
}

function installedGrafana(env: NodeJS.ProcessEnv): ReturnType<typeof findGrafana> | undefined {
  try {
    return findGrafana(env);
  } catch {
    return undefined;
  }
}

function spanSettings(pagesUrl: string): Readonly<Record<string, string>> {
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: pagesUrl,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    // Developers look at a trace right after the request.
    OTEL_BSP_SCHEDULE_DELAY: '1000',
  };
}
