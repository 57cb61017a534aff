import type { RequestResult } from '../load/load.js';
import { PER_SECOND, type Traffic } from '../load/traffic.js';
import type { Restart } from '../platform/restarts.js';
import { Broken, type Outcome } from './scenario.js';

/**
 * Checks that no request failed, that none took more than two seconds, after subtracting delays of the machine, and that no container of a service
 * ended by itself.
 * @throws Broken otherwise
 */
export function undisturbed(traffic: Traffic): Outcome {
  const { requests, perSecond, failures, slow, worstMs, machineMs, restarts } = traffic;
  const rate = perSecond < PER_SECOND ? `, ${perSecond} requests a second` : '';
  const outcome = { requests, failed: failures.length, worstMs, note: `a pod that nothing happened to: ${machineMs} ms${rate}` };
  const shown = [summaryOf([...failures, ...slow.filter((each) => !failures.includes(each))]), ...restarts.map(described)].join('\n');
  if (failures.length > 0) throw new Broken(`${failures.length} of ${requests} requests failed:\n${shown}`, outcome);
  if (restarts.length > 0) throw new Broken(`${restarts.length} containers ended by themselves:\n${shown}`, outcome);
  if (slow.length > 0) throw new Broken(`${slow.length} of ${requests} requests took too long:\n${shown}`, outcome);
  return outcome;
}

function described({ pod, exitCode, reason, log }: Restart): string {
  return `${pod} ended with exit code ${exitCode}, ${reason}. Its last lines:\n${log}`;
}

/** Returns a line for each path and problem, the most frequent first, with count, times and durations. */
function summaryOf(sent: readonly RequestResult[]): string {
  const groups = Object.values(
    Object.groupBy(sent, ({ path, failure = 'slow' }) => `${path.replace(/\?.*/, '')} ${failure}`),
  ) as RequestResult[][];
  const time = (ms: number): string => new Date(performance.timeOrigin + ms).toISOString().slice(11, 23);
  return groups
    .sort((a, b) => b.length - a.length)
    .map((group) => {
      const [{ path, failure = 'slow' } = { path: '' }] = group;
      const starts = group.map(({ startMs }) => startMs);
      const longest = Math.max(...group.map(({ ms }) => ms));
      return `${group.length} × ${path} ${failure}, ${time(Math.min(...starts))} to ${time(Math.max(...starts))}, up to ${longest} ms`;
    })
    .join('\n');
}
