import { AppError } from '@stechuhr/kernel';
import type { RefundingRateLimiter, Verdict } from '../clients/rate-limiter.js';
import type { CallerExchange } from '../routes/route.js';
import { refusal } from './rate-limit.js';

/** The charge of a run or a new task against the limit of its token. */
export interface RunCharge {
  /** Whether the limit is used up. An existing task may still be returned, so that it can be polled. */
  readonly isRefused: boolean;
  /** Refunds the charge if nothing was run or started. A refused request was counted, too. */
  refund(): Promise<void>;
  /**
   * Handles a failure before the first response byte: refunds the charge unless the client caused the failure. @throws the error with which
   * the client is answered
   */
  failed(this: void, caught: unknown): Promise<never>;
}

/** Charges a run. @param runs counts runs and tasks that start; undefined if the limit is disabled or nothing is to be counted */
export async function chargeRun(runs: RefundingRateLimiter | undefined, exchange: CallerExchange): Promise<RunCharge> {
  const { principal, signal } = exchange;
  const charge = await runs?.take(principal.tokenId);
  const refund = async () => void (charge !== undefined && (await runs?.giveBack(principal.tokenId, charge)));
  return {
    isRefused: charge?.allowed === false,
    refund,
    async failed(caught) {
      if (!isOfClient(caught, signal)) await refund();
      throw asThrottled(caught, charge, exchange);
    },
  };
}

/**
 * Returns whether the client caused a failure. Such runs are not refunded: validating a bad request takes as long as a good one, and a
 * client that disconnects has used its run.
 */
function isOfClient(caught: unknown, signal: AbortSignal): boolean {
  return signal.aborted || AppError.from(caught).code === 'invalid';
}

/** Replaces the error of a service that refused to start a task because the limit is used up. */
function asThrottled(caught: unknown, charge: Verdict | undefined, { response }: CallerExchange): unknown {
  if (charge?.allowed !== false || !(caught instanceof AppError) || caught.code !== 'rate_limited') return caught;
  return refusal('exports', charge, response);
}
