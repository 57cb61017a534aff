import type { Logger } from '@stechuhr/kernel';
import { captureWeather, type CaptureContext } from './operations/capture-weather.js';

type CaptureParts = Omit<CaptureContext, 'signal' | 'logger'>;

interface WeatherCapture {
  stop(): Promise<void>;
}

const INTERVAL_MS = 5 * 60_000;

/** Every replica looks every few minutes; what there is to do is claimed report by report, so that two do not ask for the same. */
export function startWeatherCapture(parts: CaptureParts, logger: Logger, intervalMs = INTERVAL_MS): WeatherCapture {
  const leaving = new AbortController();
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= captureWeather({ ...parts, logger, signal: leaving.signal })
      .catch((caught: unknown) => logger.warn({ err: caught }, 'the capture of weather failed'))
      .finally(() => (running = undefined));
  }, intervalMs);
  return {
    async stop() {
      clearInterval(timer);
      leaving.abort();
      await running;
    },
  };
}
