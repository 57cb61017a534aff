import type { Traffic } from '../load/traffic.js';
import { Broken, type Outcome } from './scenario.js';

const SHOWN = 8;

/** No request failed and none took more than two seconds, but for what the machine itself took. @throws Broken */
export function undisturbed(traffic: Traffic): Outcome {
  const { requests, failures, slow, worstMs, machineMs } = traffic;
  const outcome = { requests, failed: failures.length, worstMs, note: `a pod that nothing happened to: ${machineMs} ms` };
  const shown = [...failures, ...slow].slice(0, SHOWN);
  const lines = shown.map(({ startMs, ms, path, failure = 'slow' }) => `${new Date(startMs).toISOString()} ${ms} ms ${path} ${failure}`);
  if (failures.length > 0) throw new Broken(`${failures.length} of ${requests} requests failed:\n${lines.join('\n')}`, outcome);
  if (slow.length > 0) throw new Broken(`${slow.length} of ${requests} requests took too long:\n${lines.join('\n')}`, outcome);
  return outcome;
}
