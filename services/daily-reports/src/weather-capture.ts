import { startPeriodic, type Logger, type Periodic } from '@stechuhr/kernel';
import { shareWeather } from './clients/shared-weather.js';
import { captureWeather, type CaptureContext } from './operations/capture-weather.js';

type CaptureParts = Omit<CaptureContext, 'signal' | 'logger'>;

const INTERVAL_MS = 5 * 60_000;
const ADOPT_EVERY_MS = 3_600_000;

/** Starts the periodic capture. Every few minutes, each replica takes due institutions under a lease. */
export function startWeatherCapture(parts: CaptureParts, logger: Logger, intervalMs = INTERVAL_MS): Periodic {
  const weather = shareWeather(parts.weather, parts.ports.clock);
  let adoptedAt = Number.NEGATIVE_INFINITY;
  const capture = async (signal: AbortSignal): Promise<void> => {
    // While replicas of the previous version are running, they store forms without a schedule.
    if (performance.now() - adoptedAt > ADOPT_EVERY_MS) {
      await parts.agenda.adopt();
      adoptedAt = performance.now();
    }
    await captureWeather({ ...parts, weather, logger, signal });
  };
  return startPeriodic(capture, { intervalMs, logger, failure: 'the capture of weather failed' });
}
