import { credentials, makeGenericClientConstructor, type UntypedServiceImplementation } from '@grpc/grpc-js';
import { recordsV1 } from '@stechuhr/contracts';
import { createGrpcClient, startGrpcServer, type GrpcServer, type GrpcServerOptions } from '@stechuhr/service';
import { service as healthService } from 'grpc-health-check';

/** A line of the log. */
export interface LogLine {
  readonly message: string;
  readonly fields: object;
}

/** A server with the handlers of a test, and a client for it. */
export interface TestServer {
  readonly server: GrpcServer;
  readonly client: recordsV1.RecordsServiceClient;
  readonly lines: readonly LogLine[];
  stop(): Promise<void>;
}

/** Serves the records contract with the given handlers; its other methods are not implemented. */
export async function serve(
  handlers: UntypedServiceImplementation,
  options: Pick<GrpcServerOptions, 'concurrentCalls'> = {},
): Promise<TestServer> {
  const lines: LogLine[] = [];
  const log = (fields: object, message: string) => void lines.push({ fields, message });
  const server = await startGrpcServer({
    ...options,
    bind: '127.0.0.1:0',
    services: [{ definition: recordsV1.RecordsServiceService, implementation: handlers }],
    logger: { debug: log, info: log, warn: log, error: log },
  });
  const client = createGrpcClient(recordsV1.RecordsServiceClient, `127.0.0.1:${server.port}`);
  return {
    server,
    client,
    lines,
    async stop() {
      client.close();
      await server.stop();
    },
  };
}

/** A request for the account with this id. */
export const accountRequest = (accountId: string) => recordsV1.GetAccountRequest.fromPartial({ accountId });

/** The answer to a health check, over a connection of its own; the number of the status if it failed. */
export async function healthOf({ port }: Pick<GrpcServer, 'port'>, name: string): Promise<unknown> {
  const client = new (makeGenericClientConstructor(healthService, 'Health'))(`127.0.0.1:${port}`, credentials.createInsecure());
  try {
    return await new Promise((resolve) => {
      client.makeUnaryRequest(
        '/grpc.health.v1.Health/Check',
        healthService.Check?.requestSerialize ?? Buffer.from,
        healthService.Check?.responseDeserialize ?? Buffer.from,
        { service: name },
        (error, response) => resolve(error?.code ?? response),
      );
    });
  } finally {
    client.close();
  }
}
