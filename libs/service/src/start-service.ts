import type { Inspection, Logger } from '@stechuhr/kernel';
import { startAdminServer, type AdminServerOptions } from './admin-server.js';
import { inspectionService } from './inspection.js';
import { startGrpcServer, type ServedService } from './grpc/server.js';
import type { RunningService } from './run-service.js';

/** A background activity that runs until it is stopped, such as a consumer of the bus. */
export interface Running {
  stop(): Promise<void>;
}

/** The options of {@link startService}. */
export interface ServiceOptions extends Pick<AdminServerOptions, 'checks'> {
  /** See `serverOptions`. */
  readonly config: { readonly grpcBind: string; readonly adminHost: string; readonly adminPort: number; readonly concurrentCalls?: number };
  readonly logger: Logger;
  readonly services: readonly ServedService[];
  /** Checks of the service's stores, for operators. */
  readonly inspections?: readonly Inspection[];
  /** Starts background work; called when the servers listen, before the service reports that it is ready. */
  readonly background?: () => readonly Running[];
  /**
   * How long running calls may continue after the stop signal, in milliseconds, for services with long downloads; at most 10 s by default.
   */
  readonly drainMs?: number;
  /** Closes the connections; called when nothing needs them any more. */
  close(): Promise<void>;
}

/** A running service, with its gRPC port and its port for operators. */
export interface StartedService extends RunningService {
  readonly grpcPort: number;
  readonly adminPort: number;
}

/**
 * Starts a gRPC service: first the gRPC server, the port for operators, and the background work; then the service is ready and logs its
 * addresses. It stops in this order (docs/rules/services.md#shutdown): readiness, calls, background work, connections, port for operators.
 * During a drain, background work continues.
 */
export async function startService(options: ServiceOptions): Promise<StartedService> {
  const { config, logger, inspections = [], checks, background, drainMs, close } = options;
  const services = [...options.services, ...(inspections.length > 0 ? [inspectionService(inspections)] : [])];
  const grpc = await startGrpcServer({ bind: config.grpcBind, services, concurrentCalls: config.concurrentCalls, logger });
  const admin = await startAdminServer({ host: config.adminHost, port: config.adminPort, checks, logger });
  const running = background?.() ?? [];
  grpc.setServing(true);
  admin.setReady(true);
  const host = config.grpcBind.slice(0, config.grpcBind.lastIndexOf(':'));
  logger.info({ grpc: `${host}:${grpc.port}`, admin: `127.0.0.1:${admin.port}` }, 'ready');
  return {
    grpcPort: grpc.port,
    adminPort: admin.port,
    ...(drainMs !== undefined && {
      async drain() {
        admin.setReady(false);
        await grpc.drain(drainMs);
      },
    }),
    async stop() {
      admin.setReady(false);
      await grpc.stop();
      await Promise.all(running.map((one) => one.stop()));
      await close();
      await admin.stop();
    },
  };
}
