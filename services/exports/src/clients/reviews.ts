import type { commonV1, reviewsV1 } from '@stechuhr/contracts';
import { callUnary } from '@stechuhr/service';
import type { CallerReviews } from '../operations/ports.js';

/** The reviews service for one caller. Calls end when the signal aborts. */
export function callerReviews(client: reviewsV1.ReviewsServiceClient, caller: commonV1.Caller, signal: AbortSignal): CallerReviews {
  return {
    async countOpenErrors(month, deadlineMs) {
      return (await callUnary(client, client.countOpenErrors, { caller, ...month }, { signal, deadlineMs })).count;
    },
  };
}
