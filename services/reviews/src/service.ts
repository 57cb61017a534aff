import { reviewsV1 } from '@stechuhr/contracts';
import { handedOverConsumer, importRpc, withoutWriting } from '@stechuhr/ingest';
import type { Clock } from '@stechuhr/kernel';
import { startService, type Logger, type StartedService } from '@stechuhr/service';
import type { Config } from './config.js';
import { createContext, type Context } from './context.js';
import { settingsKind } from './domain/settings-kind.js';
import { employeeDeletedConsumer } from './events/on-employee-deleted.js';
import { institutionDeletedConsumer } from './events/on-institution-deleted.js';
import { createSuppressionRpc } from './grpc/create-suppression.js';
import { deleteSuppressionRpc } from './grpc/delete-suppression.js';
import { getSuppressionRpc } from './grpc/get-suppression.js';
import { listChecksRpc } from './grpc/list-checks.js';
import { listGroupsRpc } from './grpc/list-groups.js';
import { listSuppressionsRpc } from './grpc/list-suppressions.js';
import { runReviewRpc } from './grpc/run-review.js';
import { updateSuppressionRpc } from './grpc/update-suppression.js';
import { settingsIngest } from './operations/settings-ingest.js';

interface Overrides {
  readonly clock?: Clock;
  readonly ingestBackoffMs?: readonly number[];
}

function ingestOf({ ports, references }: Context, signal?: AbortSignal) {
  return settingsIngest({ settings: ports.settings, references: references(signal) });
}

function importOf(context: Context, signal: AbortSignal) {
  return { ...ingestOf(context, signal), kinds: [settingsKind] };
}

function implementationOf(context: Context): reviewsV1.ReviewsServiceServer {
  return {
    runReview: runReviewRpc(context),
    listChecks: listChecksRpc(context),
    listGroups: listGroupsRpc(),
    listSuppressions: listSuppressionsRpc(context),
    getSuppression: getSuppressionRpc(context),
    createSuppression: createSuppressionRpc(context),
    updateSuppression: updateSuppressionRpc(context),
    deleteSuppression: deleteSuppressionRpc(context),
    import: importRpc((signal) => importOf(context, signal)),
    checkImport: importRpc((signal) => withoutWriting(importOf(context, signal))),
  };
}

export async function createReviewsService(config: Config, logger: Logger, overrides: Overrides = {}): Promise<StartedService> {
  const context = await createContext(config, logger, overrides.clock);
  const services = [{ definition: reviewsV1.ReviewsServiceService, implementation: { ...implementationOf(context) } }];
  const { bus } = context;
  const live = { durable: 'reviews-settings', concurrency: 4, backoffMs: overrides.ingestBackoffMs };
  return startService({
    config,
    logger,
    services,
    checks: context.checks,
    background: () => [
      bus.consume(employeeDeletedConsumer(context)),
      bus.consume(institutionDeletedConsumer(context)),
      bus.consume(handedOverConsumer('review_settings', ingestOf(context), live)),
    ],
    close: () => context.close(),
  });
}
