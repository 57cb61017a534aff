import { AppError } from '@stechuhr/kernel';
import type { RateLimiter, Verdict } from '../clients/rate-limiter.js';
import type { CallerExchange } from '../routes/route.js';
import { refusal } from './rate-limit.js';

/** A run or a new task, charged to the limit of its token. */
export interface RunCharge {
  /** The limit is used up. An existing task may still be returned, so that it can be polled. */
  readonly isRefused: boolean;
  /** Refunds the charge if nothing was run or started. Refused attempts have been counted as well. */
  refund(): Promise<void>;
  /**
   * For errors before the first byte: refunds the charge unless the client caused the error.
   * @throws the error for the client
   */
  failed(this: void, caught: unknown): Promise<never>;
}

/** @param runs counts the runs and tasks that start; absent if the limit is disabled or does not apply */
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

/** Validating a bad request costs as much as a good one, and a client that disconnects has had its run, so neither is refunded. */
function isOfClient(caught: unknown, signal: AbortSignal): boolean {
  return signal.aborted || AppError.from(caught).code === 'invalid';
}

/** Translates the refusal of a service that was told that the limit is used up. */
function asThrottled(caught: unknown, charge: Verdict | undefined, { response }: CallerExchange): unknown {
  if (charge?.allowed !== false || !(caught instanceof AppError) || caught.code !== 'rate_limited') return caught;
  return refusal('exports', charge, response);
}
