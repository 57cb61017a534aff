import type { handleServerStreamingCall } from '@grpc/grpc-js';
import type { reviewsV1 } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import { serverStream } from '@stechuhr/service';
import type { Context } from '../context.js';
import type { Finding } from '../domain/finding-list.js';
import { reviewedMonth, runReview } from '../operations/run-review.js';
import { callOf } from './from-proto.js';
import { findingToProto } from './to-proto.js';

type Request = reviewsV1.RunReviewRequest;
type Response = reviewsV1.RunReviewResponse;

/** A finding with its references usually takes far less than a kilobyte; a message may have 4 MB. */
const FINDINGS_A_MESSAGE = 200;
const REFERENCES_A_MESSAGE = 10_000;

export function runReviewRpc(context: Context): handleServerStreamingCall<Request, Response> {
  return serverStream(async function* ({ caller, parameters, judgeOnly }, rpc) {
    const call = callOf(context, caller, rpc);
    const month = reviewedMonth(parameters);
    if (judgeOnly) {
      yield { ...month, findings: [] };
      return;
    }
    const share = context.unreceived.open(call.caller.institutionId);
    const hold = (references: number) => {
      if (!share.add(references)) throw new AppError('rate_limited', 'Clients have not received earlier reviews yet; try again later.');
    };
    try {
      // Before a run that would be in vain.
      hold(0);
      const { employees, findings } = await runReview(call, month);
      hold(findings.references);
      for (const some of inMessages(findings)) yield { ...month, findings: some.map(findingToProto) };
      call.events.reviewRan(call.caller, { ...month, employees, findings: findings.size });
    } finally {
      share.release();
    }
  });
}

/** Divides findings into messages, at least one. */
function* inMessages(findings: Iterable<Finding>): Generator<Finding[], void, undefined> {
  let some: Finding[] = [];
  let references = 0;
  for (const finding of findings) {
    some.push(finding);
    references += finding.found.references.length;
    if (some.length < FINDINGS_A_MESSAGE && references < REFERENCES_A_MESSAGE) continue;
    yield some;
    some = [];
    references = 0;
  }
  yield some;
}
