import { AppError, createFairShares, type Share } from '@stechuhr/kernel';
import { HttpError, overloaded } from '../http/answers.js';
import { countRefusal } from '../metrics.js';

/** The requests with a token that this process serves at a time. */
export interface RequestSlots {
  /**
   * Takes a slot for a request, before it is known who sends it.
   *
   * @throws HttpError 503 if there is none
   */
  enter(): RequestSlot;
}

export interface RequestSlot {
  /**
   * Counts the slot for an institution.
   *
   * @throws AppError `rate_limited` if the institution already holds more slots than are free
   */
  assign(institutionId: string): void;
  release(): void;
}

/**
 * Limits concurrent requests. When requests arrive faster than the services behind answer them, each additional one makes all others slower, until
 * clients give up and repeat what is still being worked on. So the requests beyond the limit are refused at once, before they cost anything.
 * An institution gets another slot only if at least as many are free as it holds: slow requests of one institution leave room for the others.
 *
 * @param max 0 disables the limit
 */
export function createRequestSlots(max: number): RequestSlots {
  if (max === 0) return UNLIMITED;
  const ofInstitutions = createFairShares(max);
  let taken = 0;
  return {
    enter() {
      if (taken >= max) {
        countRefusal('concurrent_requests');
        throw new HttpError(overloaded);
      }
      taken += 1;
      let share: Share | undefined;
      return {
        assign(institutionId) {
          share = ofInstitutions.open(institutionId);
          if (share.add(1)) return;
          countRefusal('institution_concurrent_requests');
          throw new AppError(
            'rate_limited',
            'Too many requests of your institution are under way. Try again when some have been answered.',
          );
        },
        release() {
          taken -= 1;
          share?.release();
        },
      };
    },
  };
}

const NO_SLOT: RequestSlot = { assign: () => {}, release: () => {} };
const UNLIMITED: RequestSlots = { enter: () => NO_SLOT };
