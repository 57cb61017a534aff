import { reviewsV1 } from '@stechuhr/contracts';
import { handedOverConsumer, importRpc } from '@stechuhr/ingest';
import type { Clock } from '@stechuhr/kernel';
import { startAdminServer, startGrpcServer, type Logger, type RunningService } from '@stechuhr/service';
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

export interface ReviewsService extends RunningService {
  readonly grpcPort: number;
  readonly adminPort: number;
}

interface Overrides {
  readonly clock?: Clock;
  readonly ingestBackoffMs?: readonly number[];
}

const LIVE_SETTINGS = { durable: 'reviews-settings', concurrency: 4 };

function ingestOf({ ports, references }: Context, signal?: AbortSignal) {
  return settingsIngest({ settings: ports.settings, references: references(signal) });
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
    import: importRpc((signal) => ({ ...ingestOf(context, signal), kinds: [settingsKind] })),
  };
}

export async function createReviewsService(config: Config, logger: Logger, overrides: Overrides = {}): Promise<ReviewsService> {
  const context = await createContext(config, logger, overrides.clock);
  const services = [{ definition: reviewsV1.ReviewsServiceService, implementation: { ...implementationOf(context) } }];
  const grpc = await startGrpcServer({ bind: config.grpcBind, services, logger });
  const admin = await startAdminServer({ port: config.adminPort, checks: context.checks, logger });
  const consumptions = [
    context.bus.consume(employeeDeletedConsumer(context)),
    context.bus.consume(institutionDeletedConsumer(context)),
    context.bus.consume(
      handedOverConsumer('review_settings', ingestOf(context), { ...LIVE_SETTINGS, backoffMs: overrides.ingestBackoffMs }),
    ),
  ];
  grpc.setServing(true);
  admin.setReady(true);
  logger.info({ grpc: `${hostOf(config.grpcBind)}:${String(grpc.port)}`, admin: `127.0.0.1:${String(admin.port)}` }, 'ready');
  return {
    grpcPort: grpc.port,
    adminPort: admin.port,
    async stop() {
      admin.setReady(false);
      await grpc.stop();
      await Promise.all(consumptions.map((consumption) => consumption.stop()));
      await context.close();
      await admin.stop();
    },
  };
}

function hostOf(bind: string): string {
  return bind.slice(0, bind.lastIndexOf(':'));
}
