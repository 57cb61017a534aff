import type { Inspection, Logger } from '@stechuhr/kernel';
import { startAdminServer, type AdminServerOptions } from './admin-server.js';
import { inspectionService } from './inspection.js';
import { startGrpcServer, type ServedService } from './grpc/server.js';
import type { RunningService } from './run-service.js';

/** Something that runs until it is stopped, such as a bus consumer. */
export interface Running {
  stop(): Promise<void>;
}

/** What {@link startService} needs. */
export interface ServiceOptions extends Pick<AdminServerOptions, 'checks'> {
  /** See `serverOptions`. */
  readonly config: { readonly grpcBind: string; readonly adminHost: string; readonly adminPort: number };
  readonly logger: Logger;
  readonly services: readonly ServedService[];
  /** Inspections of the service's stores, for operators. */
  readonly inspections?: readonly Inspection[];
  /** Starts background work; called when the servers listen, before the service reports ready. */
  readonly background?: () => readonly Running[];
  /** How long running calls may continue after the stop signal, for services with downloads; by default 10 s. */
  readonly drainMs?: number;
  /** Closes the connections when nothing needs them any more. */
  close(): Promise<void>;
}

/** A service with its gRPC server and its admin port. */
export interface StartedService extends RunningService {
  readonly grpcPort: number;
  readonly adminPort: number;
}

/**
 * Starts a service that others call over gRPC: the gRPC server, the admin port, then the background work. It then reports ready and logs its
 * addresses. It stops in this order (docs/rules/services.md#shutdown): readiness, calls, background, connections, admin port. The background
 * continues while calls are drained.
 */
export async function startService(options: ServiceOptions): Promise<StartedService> {
  const { config, logger, inspections = [], checks, background, drainMs, close } = options;
  const services = [...options.services, ...(inspections.length > 0 ? [inspectionService(inspections)] : [])];
  const grpc = await startGrpcServer({ bind: config.grpcBind, services, logger });
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
