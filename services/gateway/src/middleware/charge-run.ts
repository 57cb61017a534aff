import { AppError } from '@stechuhr/kernel';
import type { RateLimiter, Verdict } from '../clients/rate-limiter.js';
import type { CallerExchange } from '../routes/route.js';
import { refusal } from './rate-limit.js';

/** What a run or a new task takes from the limit of its token. */
export interface RunCharge {
  /** The limit is used up: a task that exists may be answered still, so that it can be polled. */
  readonly isRefused: boolean;
  /** Gives it back, when nothing was run or started; what was refused has been counted, too. */
  refund(): Promise<void>;
  /** For what went wrong before there was an answer: gives it back, unless it is the client's doing. @throws what the client is answered */
  failed(this: void, caught: unknown): Promise<never>;
}

/** @param runs counts the runs and tasks that start; absent when it is off, or when nothing is to be counted */
export async function chargeRun(runs: RateLimiter | undefined, exchange: CallerExchange): Promise<RunCharge> {
  const { principal, signal } = exchange;
  const charge = await runs?.take(principal.tokenId);
  const refund = async () => void (charge !== undefined && (await runs?.giveBack(principal.tokenId)));
  return {
    isRefused: charge?.allowed === false,
    refund,
    async failed(caught) {
      if (!isOfClient(caught, signal)) await refund();
      throw asThrottled(caught, charge, exchange);
    },
  };
}

/** Judging a bad request takes as long as a good one, and a client that disconnects has had its run: neither is refunded. */
function isOfClient(caught: unknown, signal: AbortSignal): boolean {
  return signal.aborted || AppError.from(caught).code === 'invalid';
}

/** What a service refuses to an empty limit is ours to explain. */
function asThrottled(caught: unknown, charge: Verdict | undefined, { response }: CallerExchange): unknown {
  if (charge?.allowed !== false || !(caught instanceof AppError) || caught.code !== 'rate_limited') return caught;
  return refusal('exports', charge, response);
}
