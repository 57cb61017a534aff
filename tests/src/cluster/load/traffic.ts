import type { Agent } from 'node:http';
import { waitFor } from '@stechuhr/testing';
import { query } from '../../support/http.js';
import type { Platform } from '../platform/platform.js';
import { lastMonth } from '../platform/last-month.js';
import { Load, type Sent } from './load.js';

/** What a time of load came to. */
export interface Traffic {
  readonly requests: number;
  readonly failures: readonly Sent[];
  readonly worstMs: number;
  /** Requests beyond the bound, less what a pod that nobody touched took at the same time. */
  readonly slow: readonly Sent[];
  /** The worst of that other pod. */
  readonly machineMs: number;
}

const PER_SECOND = 30;
const BOUND_MS = 2_000;

/** Before and after what is tried, so that a failure is told from a platform that never answered. */
const AROUND_MS = 2_000;

/** How long a platform that has just started may take until it answers every second within the bound: its code is not compiled yet. */
const WARMS_UP_MS = 60_000;

/** How clients come to the platform; by the gateway's node port unless something else is said. */
interface Way {
  readonly base: string;
  /** A new one, for a load of its own. */
  agent?(): Agent;
}

/** Runs something while clients use every service of the platform, and have for a while. */
export async function underLoad(platform: Platform, act: () => Promise<void>, way: Way = { base: platform.gateway }): Promise<Traffic> {
  await warmedUp(platform, way);
  const load = loadOf(platform, way);
  // A pod that serves nothing but this: how long it takes is the machine's doing.
  const idle = new Load({ base: platform.idle, paths: ['/'], perSecond: 10 });
  try {
    await pause(AROUND_MS);
    await act();
    await pause(AROUND_MS);
  } finally {
    await Promise.all([load.stop(), idle.stop()]);
  }
  return judged(load.sent, idle.sent);
}

/** What clients send is answered in time for five seconds. @throws when that does not happen within a minute */
async function warmedUp(platform: Platform, way: Way): Promise<void> {
  const load = loadOf(platform, way);
  const isSlow = ({ startMs, ms, failure }: Sent): boolean =>
    (failure !== undefined || ms > BOUND_MS) && startMs > performance.now() - 7_000;
  try {
    await pause(7_000);
    await waitFor(() => !load.sent.some(isSlow), { timeoutMs: WARMS_UP_MS });
  } finally {
    await load.stop();
  }
}

function loadOf({ token }: Platform, { base, agent }: Way): Load {
  return new Load({ base, token, paths: requestsOfClients(), perSecond: PER_SECOND, ...(agent !== undefined && { agent: agent() }) });
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

export function judged(sent: readonly Sent[], idle: readonly Sent[]): Traffic {
  const worst = (all: readonly Sent[]): number => all.reduce((most, { ms }) => Math.max(most, ms), 0);
  const meanwhile = ({ startMs, ms }: Sent): readonly Sent[] =>
    idle.filter((other) => other.startMs < startMs + ms && startMs < other.startMs + other.ms);
  return {
    requests: sent.length,
    failures: sent.filter(({ failure }) => failure !== undefined),
    worstMs: worst(sent),
    slow: sent.filter((each) => each.ms > BOUND_MS && each.ms - worst(meanwhile(each)) > BOUND_MS),
    machineMs: worst(idle),
  };
}

/** Every service answers some of it. */
function requestsOfClients(): readonly string[] {
  const month = lastMonth();
  const often = [
    'employees/employees/?limit=20',
    'projects/projects/?limit=20',
    `timestamps/workdays/?${query({ daterange: month.daterange, limit: '20' })}`,
    'timestamps/absence-rules/?limit=20',
    'asynchronous-tasks/tasks/?limit=5',
    'daily-reports/reports/?limit=5',
    'accounts/institutions/',
    'exports/generic/columns/',
    'reviews/suppressions/?limit=20',
  ];
  const seldom = [
    `exports/generic/?${query({ daterange: month.daterange, response_only: 'true' })}`,
    `exports/generic/?${query({ daterange: month.daterange, is_async: 'true' })}`,
    `reviews/reviews/?${query({ year: month.year, month: month.month })}`,
  ];
  return seldom.flatMap((one) => [...often, one]).map((path) => `/api/v2/${path}`);
}
