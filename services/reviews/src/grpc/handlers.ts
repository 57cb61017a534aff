import { requirePage, type reviewsV1 } from '@stechuhr/contracts';
import { checkRpc, importRpc } from '@stechuhr/ingest';
import { unary } from '@stechuhr/service';
import type { Context } from '../context.js';
import { groups } from '../domain/groups.js';
import { listSuppressions } from '../operations/list-suppressions.js';
import { countOpenErrors, listChecks, reviewedMonth } from '../operations/run-review.js';
import { settingsCheck, settingsIngest } from '../operations/settings-ingest.js';
import { createSuppression, deleteSuppression, getSuppression, updateSuppression } from '../operations/suppressions.js';
import { callOf, toId } from './from-proto.js';
import { runReviewRpc } from './run-review.js';
import { checkToProto, suppressionToProto } from './to-proto.js';

/** Returns the handlers of the service. Each one decodes the request, runs its operation and encodes the response. */
export function handlersOf(context: Context): reviewsV1.ReviewsServiceServer {
  return {
    import: importRpc((signal) => settingsIngest(context.settingsNeeds(signal))),
    checkImport: checkRpc((signal, imported) => settingsCheck(context.settingsNeeds(signal), imported)),
    runReview: runReviewRpc(context),
    countOpenErrors: unary(
      async ({ caller, year, month }, rpc) => {
        const reviewed = reviewedMonth({ year: String(year), month: String(month) });
        return { count: await countOpenErrors(callOf(context, caller, rpc), reviewed) };
      },
      { atOnce: true },
    ),
    listChecks: unary(async ({ caller }, rpc) => {
      const call = callOf(context, caller, rpc);
      return { checks: (await listChecks(call, call.caller)).map(checkToProto) };
    }),
    listGroups: unary(() => Promise.resolve({ groups: [...groups] })),
    listSuppressions: unary(async ({ caller, ...query }, rpc) => {
      const { count, results } = await listSuppressions(callOf(context, caller, rpc), requirePage(query));
      return { count, suppressions: results.map(suppressionToProto) };
    }),
    getSuppression: unary(async ({ caller, suppressionId }, rpc) => ({
      suppression: suppressionToProto(await getSuppression(callOf(context, caller, rpc), toId(suppressionId))),
    })),
    createSuppression: unary(async ({ caller, json }, rpc) => {
      const { suppression, created } = await createSuppression(callOf(context, caller, rpc), json);
      return { suppression: suppressionToProto(suppression), created };
    }),
    updateSuppression: unary(async ({ caller, suppressionId, json }, rpc) => ({
      suppression: suppressionToProto(await updateSuppression(callOf(context, caller, rpc), { id: toId(suppressionId), json })),
    })),
    deleteSuppression: unary(async ({ caller, suppressionId }, rpc) => {
      await deleteSuppression(callOf(context, caller, rpc), toId(suppressionId));
      return {};
    }),
  };
}
