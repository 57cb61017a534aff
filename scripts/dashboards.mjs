// Writes the six Grafana dashboards in helm/stechuhr/files/dashboards from the tables below; with --check it only checks whether they are
// up to date.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';

const FOLDER = 'helm/stechuhr/files/dashboards';
const RATE = '[$__rate_interval]';

const quantile = (q, metric, by, filter = '') => `histogram_quantile(${q}, sum by (le, ${by}) (rate(${metric}_bucket{${filter}}${RATE})))`;
const rate = (metric, by, filter = '') => `sum by (${by}) (rate(${metric}{${filter}}${RATE}))`;
/** A share is 0 while there are no series of the part, such as before the first failure; it is unknown only without the whole. */
const share = (part, whole) => `(${part} or 0 * ${whole}) / ${whole}`;

/** Defines a panel: title, unit, description in one sentence, and queries by legend. */
const panel = (title, unit, description, queries) => ({ title, unit, description, queries });

const HTTP = 'http_server_request_duration';
const RPC = 'stechuhr_rpc_server_duration';

/** @type {Record<string, { title: string, variable?: object, panels: ReturnType<typeof panel>[] }>} */
const dashboards = {
  overview: {
    title: 'Stechuhr: overview',
    panels: [
      panel('Requests', 'reqps', 'Requests of clients, by status of the response.', {
        '{{http_response_status_code}}': rate(`${HTTP}_count`, 'http_response_status_code'),
      }),
      panel(
        'Requests that failed',
        'percentunit',
        'Share of responses with status 500 and above, or broken off because a service failed. The objective is below 0.1 %.',
        {
          failed: `sum(rate(stechuhr_responses_total{status="5xx"}${RATE})) / sum(rate(stechuhr_responses_total${RATE}))`,
        },
      ),
      panel('Time to answer', 's', 'Without exports and PDFs, whose duration depends on their size.', {
        p50: quantile(0.5, HTTP, 'job', 'http_route!~".*/(exports|pdf)/.*"'),
        p99: quantile(0.99, HTTP, 'job', 'http_route!~".*/(exports|pdf)/.*"'),
      }),
      panel('Slowest routes', 's', 'Duration at the 95th percentile.', {
        '{{http_route}}': `topk(8, ${quantile(0.95, HTTP, 'http_route')})`,
      }),
      panel('Calls between services', 'reqps', 'By service.', { '{{job}}': rate(`${RPC}_count`, 'job') }),
      panel('Calls that failed', 'reqps', 'By service and code; `cancelled` means that the caller disconnected.', {
        '{{job}} {{code}}': rate(`${RPC}_count`, 'job, code', 'code!~"ok|cancelled|not_found|invalid"'),
      }),
      panel(
        'Calls without a grant',
        'reqps',
        'Calls without a valid grant for their institution; refused where `mtls.requireGrants` is set.',
        {
          // Most combinations stay at 0.
          '{{caller}} {{rpc_method}}: {{flaw}}': `${rate('stechuhr_rpc_grants_failed_total', 'caller, rpc_method, flaw')} > 0`,
        },
      ),
      panel('Exports running', 'none', 'In exports (synchronous) and worker (in the background).', {
        '{{job}}': 'sum by (job) (stechuhr_exports_running)',
      }),
      panel('Oldest task', 's', 'Time since the turn of an open task came, for the task that has waited or run longest.', {
        age: 'max(stechuhr_tasks_oldest)',
      }),
      panel('Oldest waiting event', 's', 'By service; grows while the bus is unavailable.', {
        '{{job}}': 'max by (job) (stechuhr_outbox_age)',
      }),
      panel('Dependencies', 'none', 'What each service needs: 1 while one of its pods reaches it, else 0.', {
        '{{job}} {{dependency}}': 'max by (job, dependency) (stechuhr_dependency_reachable)',
      }),
    ],
  },
  service: {
    title: 'Stechuhr: a service',
    variable: { name: 'service', query: 'label_values(stechuhr_dependency_reachable{namespace=~"$namespace", release=~"$release"}, job)' },
    panels: [
      panel('Calls', 'reqps', 'gRPC calls that the service answers, by method; gateway and worker answer none.', {
        '{{rpc_method}}': rate(`${RPC}_count`, 'rpc_method', 'job="$service"'),
      }),
      panel('Failures', 'reqps', 'By method and code.', {
        '{{rpc_method}} {{code}}': rate(`${RPC}_count`, 'rpc_method, code', 'job="$service", code!~"ok|cancelled"'),
      }),
      panel('Time', 's', 'To the end of the answer, at the 95th percentile.', {
        '{{rpc_method}}': quantile(0.95, RPC, 'rpc_method', 'job="$service"'),
      }),
      panel('Refused calls', 'reqps', 'Because the process, or the connection of one caller, had too many under way.', {
        '{{limit}}': rate('stechuhr_rpc_refused_total', 'limit', 'job="$service"'),
      }),
      panel('Event loop', 'percentunit', 'Share of time in which it is busy; above 0.9 it is saturated.', {
        '{{instance}}': 'nodejs_eventloop_utilization{job="$service"}',
      }),
      panel('Event loop delay', 's', '99th percentile.', { '{{instance}}': 'nodejs_eventloop_delay_p99{job="$service"}' }),
      panel('Heap', 'bytes', 'In use; the limit is 224 MiB.', {
        '{{instance}}': 'sum by (instance) (v8js_memory_heap_used{job="$service"})',
      }),
      panel(
        'Certificates',
        's',
        'Time until they expire: its own certificate, and that of the authority that signed it. A renewal raises the line.',
        {
          '{{certificate}}': 'min by (certificate) (stechuhr_certificate_remaining{job="$service"})',
          'life of {{certificate}}': 'max by (certificate) (stechuhr_certificate_lifetime{job="$service"})',
        },
      ),
      panel('Garbage collection', 'percentunit', 'Share of time of each process.', {
        '{{instance}}': rate('v8js_gc_duration_sum', 'instance', 'job="$service"'),
      }),
    ],
  },
  'exports-and-tasks': {
    title: 'Stechuhr: exports and tasks',
    panels: [
      panel('Exports running', 'none', 'By service and format.', {
        '{{job}} {{export_format}}': 'sum by (job, export_format) (stechuhr_exports_running)',
      }),
      panel('Rows', 'rowsps', 'Written a second, by format.', {
        '{{export_format}}': rate('stechuhr_exports_rows_total', 'export_format'),
      }),
      panel('Bytes', 'Bps', 'Written a second, by format.', { '{{export_format}}': rate('stechuhr_exports_bytes_total', 'export_format') }),
      panel('Tasks', 'cps', 'What happens to them.', { '{{event}}': rate('stechuhr_tasks_events_total', 'event') }),
      panel('Wait for a worker', 's', 'From the request to the first worker.', {
        p50: quantile(0.5, 'stechuhr_tasks_waited', 'job'),
        p95: quantile(0.95, 'stechuhr_tasks_waited', 'job'),
      }),
      panel('From request to file', 's', 'Finished tasks.', {
        p50: quantile(0.5, 'stechuhr_tasks_took', 'job'),
        p95: quantile(0.95, 'stechuhr_tasks_took', 'job'),
      }),
      panel('Oldest task', 's', 'Time since the turn of an open task came, for the task that has waited or run longest.', {
        age: 'max(stechuhr_tasks_oldest)',
      }),
      panel('Requests to webhooks', 'reqps', 'By outcome: `ok`, or why they failed.', {
        '{{outcome}}': rate('stechuhr_webhooks_attempt_count', 'outcome'),
      }),
      panel('Webhooks that wait', 's', 'Time since the longest waiting webhook became due.', {
        late: 'max(stechuhr_webhooks_late)',
      }),
      panel('Attempts', 'cps', 'Attempts of workers, by how they ended.', { '{{end}}': rate('stechuhr_jobs_attempts_total', 'end') }),
    ],
  },
  'bus-and-outbox': {
    title: 'Stechuhr: bus and outbox',
    panels: [
      panel('Published', 'cps', 'By kind and result.', { '{{kind}} {{result}}': rate('stechuhr_bus_published_total', 'kind, result') }),
      panel('Handled', 'cps', 'By consumer and outcome.', {
        '{{durable}} {{outcome}}': rate('stechuhr_bus_handled_count', 'durable, outcome'),
      }),
      panel('Time to handle', 's', '95th percentile.', { '{{durable}}': quantile(0.95, 'stechuhr_bus_handled', 'durable') }),
      panel('Backlog', 'none', 'Messages that a consumer of the platform has not handled yet.', {
        '{{durable}}': 'max by (durable) (stechuhr_bus_lag{durable!~"subscriber-.*"})',
      }),
      panel(
        'Subscribers',
        'none',
        'Events that a service of another team (`nats.subscribers`) has not handled yet; they expire when they are too old.',
        {
          '{{durable}}': 'max by (durable) (stechuhr_bus_lag{durable=~"subscriber-.*"})',
        },
      ),
      panel('Progress of subscribers', 'cps', 'How fast each advances in its streams; 0 while events wait means that it has stopped.', {
        '{{durable}}': `max by (durable) (deriv(stechuhr_bus_place{durable=~"subscriber-.*"}${RATE}))`,
      }),
      panel(
        'Interruptions',
        'none',
        '1 while a consumer cannot take messages, whose backlog is unknown then, or NATS refuses live objects.',
        {
          '{{job}} {{durable}}': 'max by (job, durable) (stechuhr_bus_interrupted)',
          'live objects': 'max(stechuhr_bus_live_objects_refused)',
        },
      ),
      panel('Streams', 'percentunit', 'How full each is. A full work queue refuses new messages; the others drop the oldest.', {
        '{{stream}}': 'max by (stream) (stechuhr_bus_stream_fill)',
      }),
      panel('Dead letters', 'cps', 'Messages that could not be handled, by origin; list them with `stechuhr dead-letters list`.', {
        '{{origin}}': rate('stechuhr_bus_dead_letters_total', 'origin'),
      }),
      panel('Streams restored', 'short', 'Streams that NATS lost and a service created again; any value above 0 is a loss.', {
        '{{job}}': 'sum by (job) (stechuhr_bus_streams_restored_total)',
      }),
      panel('Waiting documents', 'none', 'Documents whose events wait, by store, 100,000 at most; see `stechuhr outbox status`.', {
        '{{job}} {{store}}': 'max by (job, store) (stechuhr_outbox_waiting)',
      }),
      panel('Outbox', 's', 'Age of the oldest unpublished event in an outbox.', {
        '{{job}} {{store}}': 'max by (job, store) (stechuhr_outbox_age)',
      }),
    ],
  },
  stores: {
    title: 'Stechuhr: MongoDB, Redis and S3',
    panels: [
      panel('MongoDB connections', 'none', 'By service and state.', {
        '{{job}} {{db_client_connection_state}}': 'sum by (job, db_client_connection_state) (db_client_connection_count)',
      }),
      panel('Cache lookups', 'cps', 'By cache and result; `unavailable` means that Redis did not answer.', {
        '{{cache}} {{result}}': rate('stechuhr_cache_lookups_total', 'cache, result'),
      }),
      panel('Cache hits', 'percentunit', 'Of all lookups.', {
        '{{cache}}': share(rate('stechuhr_cache_lookups_total', 'cache', 'result="hit"'), rate('stechuhr_cache_lookups_total', 'cache')),
      }),
      panel('S3 requests', 'reqps', 'By operation and outcome.', {
        '{{operation}} {{outcome}}': rate('stechuhr_objectstore_duration_count', 'operation, outcome'),
      }),
      panel('S3 time', 's', '95th percentile; an upload takes as long as its export.', {
        '{{operation}}': quantile(0.95, 'stechuhr_objectstore_duration', 'operation'),
      }),
    ],
  },
  tenants: {
    title: 'Stechuhr: tenants',
    panels: [
      panel(
        'Requests by institution',
        'reqps',
        'The ten busiest. A gateway names the first 5,000 institutions since its start, and counts all further ones as `others`.',
        {
          '{{institution}}': `topk(10, ${rate('stechuhr_tenant_requests_total', 'institution')})`,
        },
      ),
      panel('Refused by institution', 'reqps', 'Answers of 4xx: whose integration is broken?', {
        '{{institution}}': `topk(10, ${rate('stechuhr_tenant_requests_total', 'institution', 'status="4xx"')})`,
      }),
      panel('Failed by institution', 'reqps', 'Answers of 5xx, and downloads that broke off because a service failed: who suffers?', {
        '{{institution}}': `topk(10, ${rate('stechuhr_tenant_requests_total', 'institution', 'status="5xx"')})`,
      }),
      panel('Beyond a limit', 'reqps', 'Requests refused by a rate limit.', {
        '{{limit}}': rate('stechuhr_limits_refused_total', 'limit'),
      }),
    ],
  },
};

const datasource = { type: 'prometheus', uid: '${datasource}' };

/**
 * Selects the series of the chosen installations: one Prometheus may scrape several installations, in one or several namespaces, and other
 * programs. Outside of a cluster series have neither label; `.*` selects them too.
 */
const INSTALLATION_SELECTOR = 'namespace=~"$namespace", release=~"$release"';
const several = { includeAll: true, multi: true, allValue: '.*' };
const installations = [
  { name: 'namespace', query: 'label_values(stechuhr_dependency_reachable, namespace)', ...several },
  { name: 'release', query: 'label_values(stechuhr_dependency_reachable{namespace=~"$namespace"}, release)', ...several },
];
const all = { selected: true, text: ['All'], value: ['$__all'] };

/** Adds the installation selector to every series of an expression; the labels of `by (…)` are left unchanged. */
function selectInstallation(expr) {
  const series = /\bby \([^)]*\)|\b((?:stechuhr|http|nodejs|v8js|db)_\w+)(?:\{([^}]*)\})?(?=[[\s)]|$)/g;
  const chosen = (whole, name, others) =>
    name === undefined ? whole : `${name}{${[INSTALLATION_SELECTOR, others].filter(Boolean).join(', ')}}`;
  return expr.replace(series, chosen);
}

function toPanel({ title, unit, description, queries }, index) {
  return {
    id: index + 1,
    type: 'timeseries',
    title,
    description,
    datasource,
    gridPos: { x: (index % 3) * 8, y: Math.floor(index / 3) * 8, w: 8, h: 8 },
    fieldConfig: { defaults: { unit, min: 0, custom: { fillOpacity: 8, showPoints: 'never' } }, overrides: [] },
    options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
    targets: Object.entries(queries).map(([legendFormat, expr], target) => ({
      refId: String.fromCharCode(65 + target),
      datasource,
      expr: selectInstallation(expr),
      legendFormat,
    })),
  };
}

function toDashboard(name, { title, variable, panels }) {
  const source = { name: 'datasource', type: 'datasource', query: 'prometheus', label: 'Prometheus' };
  const asked = { type: 'query', datasource, refresh: 2, sort: 1 };
  const own = variable && { ...variable, ...asked };
  return {
    uid: `stechuhr-${name}`,
    title,
    tags: ['stechuhr'],
    schemaVersion: 41,
    editable: false,
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    timezone: 'browser',
    links: [{ type: 'dashboards', title: 'Stechuhr', tags: ['stechuhr'], asDropdown: true }],
    templating: { list: [source, ...installations.map((variable) => ({ ...variable, current: all, ...asked })), ...(own ? [own] : [])] },
    panels: panels.map(toPanel),
  };
}

mkdirSync(FOLDER, { recursive: true });
for (const [name, definition] of Object.entries(dashboards)) {
  const file = `${FOLDER}/${name}.json`;
  const text = await format(JSON.stringify(toDashboard(name, definition)), { ...(await resolveConfig(file)), parser: 'json' });
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) {
    console.error(`${file} does not match scripts/dashboards.mjs: npm run docs`);
    process.exitCode = 1;
  }
}
