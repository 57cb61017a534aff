import type { Inspection, Logger } from '@stechuhr/kernel';
import { startAdminServer, type AdminServerOptions } from './admin-server.js';
import { inspectionService } from './inspection.js';
import { startGrpcServer, type ServedService } from './grpc/server.js';
import type { RunningService } from './run-service.js';

/** Something that runs until it is stopped, such as a consumer of the bus. */
export interface Running {
  stop(): Promise<void>;
}

/** What {@link startService} needs. */
export interface ServiceOptions extends Pick<AdminServerOptions, 'checks'> {
  /** See `serverOptions`. */
  readonly config: { readonly grpcBind: string; readonly adminHost: string; readonly adminPort: number };
  readonly logger: Logger;
  readonly services: readonly ServedService[];
  /** What operators can have looked for in the stores of the service. */
  readonly inspections?: readonly Inspection[];
  /** Starts background work; called when the servers listen, before the service reports ready. */
  readonly background?: () => readonly Running[];
  /** For how long calls go on that run when the signal to stop comes, as long as a download takes; 10 s at most by default. */
  readonly drainMs?: number;
  /** Closes the connections, when nothing needs them any more. */
  close(): Promise<void>;
}

/** A service with its gRPC server and its port for operators. */
export interface StartedService extends RunningService {
  readonly grpcPort: number;
  readonly adminPort: number;
}

/**
 * Starts a service that others call over gRPC: gRPC, port for operators, then what works in the background; then it is ready and logs where
 * it listens. It stops in this order (docs/rules/services.md#shutdown): not ready, calls, background, connections, port for operators. While it drains,
 * its background goes on.
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
