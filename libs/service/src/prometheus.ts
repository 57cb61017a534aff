import type { IncomingMessage, ServerResponse } from 'node:http';

type MetricsHandler = (request: IncomingMessage, response: ServerResponse) => void;

let handler: MetricsHandler | undefined;

/** Sets the handler of `/metrics`; called by the telemetry preload. Without it there are no metrics. */
export function setMetricsHandler(answer: MetricsHandler): void {
  handler = answer;
}

/** Responds to a scrape in the text format of Prometheus; empty if the process runs without telemetry. */
export function answerMetrics(request: IncomingMessage, response: ServerResponse): void {
  if (handler !== undefined) handler(request, response);
  else response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' }).end('# telemetry is off\n');
}
