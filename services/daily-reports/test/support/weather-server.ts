import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The response of the server to a path: JSON, a raw text or a status. */
export type WeatherAnswer = { readonly json: unknown } | { readonly text: string } | { readonly status: number } | 'never';

/** A local weather service whose responses the test sets. */
export interface WeatherServer {
  readonly url: string;
  /** The queries so far, oldest first. */
  readonly asked: { readonly path: string; readonly query: Readonly<Record<string, string>> }[];
  answers: Record<'/forecast' | '/places', WeatherAnswer>;
  stop(): Promise<void>;
}

/** Returns readings for every hour of a day: ten degrees, one degree more each hour, with the codes in turn. */
export function hourly(date: string, codes: readonly number[]): object {
  const hours = Array.from({ length: 24 }, (_, hour) => hour);
  return {
    hourly: {
      time: hours.map((hour) => `${date}T${String(hour).padStart(2, '0')}:00`),
      temperature_2m: hours.map((hour) => 10 + hour),
      weather_code: hours.map((hour) => codes[hour % codes.length]),
      precipitation: hours.map(() => 0.4),
      cloud_cover: hours.map(() => 75),
      wind_speed_10m: hours.map(() => 12.5),
      wind_direction_10m: hours.map(() => 360),
    },
  };
}

export const munich = { results: [{ name: 'München', latitude: 48.137, longitude: 11.575 }] };

export async function startWeatherServer(): Promise<WeatherServer> {
  const asked: WeatherServer['asked'] = [];
  const server = createServer((request, response) => {
    const { pathname: path, searchParams } = new URL(request.url ?? '/', 'http://weather');
    asked.push({ path, query: Object.fromEntries(searchParams) });
    const answer = path === '/forecast' || path === '/places' ? running.answers[path] : { status: 404 };
    if (answer === 'never') return;
    if ('status' in answer) response.writeHead(answer.status).end();
    else response.end('text' in answer ? answer.text : JSON.stringify(answer.json));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const running: WeatherServer = {
    url: `http://127.0.0.1:${String(port)}`,
    asked,
    answers: { '/forecast': { status: 500 }, '/places': { json: munich } },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return running;
}
