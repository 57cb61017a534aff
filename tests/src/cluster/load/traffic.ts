import type { Agent } from 'node:http';
import { cpus } from 'node:os';
import { waitFor } from '@stechuhr/testing';
import { query } from '../../support/http.js';
import type { Platform } from '../platform/platform.js';
import { lastMonth } from '../platform/last-month.js';
import { watchRestarts, type Restart } from '../platform/restarts.js';
import { Load, type RequestResult } from './load.js';

/** The results of a period of load. */
export interface Traffic {
  readonly requests: number;
  readonly perSecond: number;
  readonly failures: readonly RequestResult[];
  readonly worstMs: number;
  /** Requests above the time limit, after subtracting the response time of an idle pod at the same time. */
  readonly slow: readonly RequestResult[];
  /** The longest response time of the idle pod. */
  readonly machineMs: number;
  /** Containers of services that ended meanwhile and were started again. */
  readonly restarts: readonly Restart[];
}

/** The rate on a machine that this does not keep busy. */
export const PER_SECOND = 30;

/** The share of the machine's CPU time above which the rate is lower; what an action does, such as starting pods, needs the rest. */
const MAX_BUSY = 0.65;

const BOUND_MS = 2_000;

/** Duration of the load before and after the action, to distinguish its failures from those of a platform that never worked. */
const AROUND_MS = 2_000;

/** How long a platform may take after its start until all response times are within the limit; V8 has to compile its code first. */
const WARMS_UP_MS = 60_000;

/** How clients reach the platform; by default through the gateway's node port. */
interface Route {
  readonly base: string;
  /** Creates a new agent for a load. */
  agent?(): Agent;
}

/** Runs an action while clients use every service of the platform; the load starts before the action. */
export async function underLoad(platform: Platform, act: () => Promise<void>, way: Route = { base: platform.gateway }): Promise<Traffic> {
  const perSecond = await warmedUp(platform, way);
  const load = loadOf(platform, way, perSecond);
  // This pod has no other work, so its response times show the load of the machine.
  const idle = new Load({ base: platform.idle, paths: ['/'], perSecond: 10 });
  const watch = watchRestarts(platform);
  let restarts: readonly Restart[] = [];
  try {
    await pause(AROUND_MS);
    await act();
    await pause(AROUND_MS);
  } finally {
    [restarts] = await Promise.all([watch.stop(), load.stop(), idle.stop()]);
  }
  return { ...judged(load.sent, idle.sent), perSecond, restarts };
}

/**
 * Waits until all response times are within the limit for five seconds.
 *
 * @returns the rate of requests that the machine can bear
 * @throws Error if that does not happen within a minute
 */
async function warmedUp(platform: Platform, way: Route): Promise<number> {
  const load = loadOf(platform, way, PER_SECOND);
  const isSlow = ({ startMs, ms, failure }: RequestResult): boolean =>
    (failure !== undefined || ms > BOUND_MS) && startMs > performance.now() - 7_000;
  try {
    await pause(7_000);
    await waitFor(() => !load.sent.some(isSlow), { timeoutMs: WARMS_UP_MS });
    return bearable(await busyFor(MEASURED_MS));
  } finally {
    await load.stop();
  }
}

/** Returns the rate that keeps a machine busy for {@link MAX_BUSY} at most, if {@link PER_SECOND} keep it busy for this share of its time. */
export function bearable(busy: number): number {
  return Math.max(1, Math.floor(PER_SECOND * Math.min(1, MAX_BUSY / busy)));
}

const MEASURED_MS = 10_000;

/** Measures how busy this machine is. @returns the share of its CPU time, from 0 to 1 */
async function busyFor(milliseconds: number): Promise<number> {
  const before = cpuTimes();
  await pause(milliseconds);
  const after = cpuTimes();
  return 1 - (after.idle - before.idle) / (after.all - before.all);
}

/** Returns the milliseconds since the machine started, of all its processors. Work of low priority gives way, so it counts as idle. */
function cpuTimes(): { readonly idle: number; readonly all: number } {
  const times = cpus().map((cpu) => cpu.times);
  return { idle: sum(times.map(({ idle, nice }) => idle + nice)), all: sum(times.flatMap((each) => Object.values(each))) };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function loadOf({ token }: Platform, { base, agent }: Route, perSecond: number): Load {
  return new Load({ base, token, paths: requestsOfClients(), perSecond, ...(agent !== undefined && { agent: agent() }) });
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

export function judged(sent: readonly RequestResult[], idle: readonly RequestResult[]): Omit<Traffic, 'perSecond' | 'restarts'> {
  const worst = (all: readonly RequestResult[]): number => all.reduce((most, { ms }) => Math.max(most, ms), 0);
  const meanwhile = ({ startMs, ms }: RequestResult): readonly RequestResult[] =>
    idle.filter((other) => other.startMs < startMs + ms && startMs < other.startMs + other.ms);
  return {
    requests: sent.length,
    failures: sent.filter(({ failure }) => failure !== undefined),
    worstMs: worst(sent),
    slow: sent.filter((each) => each.ms > BOUND_MS && each.ms - worst(meanwhile(each)) > BOUND_MS),
    machineMs: worst(idle),
  };
}

/** Returns paths that involve every service. */
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
