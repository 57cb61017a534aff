import { startPeriodic, type Logger, type Periodic } from '@stechuhr/kernel';
import { captureWeather, type CaptureContext } from './operations/capture-weather.js';

type CaptureParts = Omit<CaptureContext, 'signal' | 'logger'>;

const INTERVAL_MS = 5 * 60_000;

/** Every replica looks every few minutes; what there is to do is claimed report by report, so that two do not ask for the same. */
export function startWeatherCapture(parts: CaptureParts, logger: Logger, intervalMs = INTERVAL_MS): Periodic {
  const capture = (signal: AbortSignal) => captureWeather({ ...parts, logger, signal });
  return startPeriodic(capture, { intervalMs, logger, failure: 'the capture of weather failed' });
}
