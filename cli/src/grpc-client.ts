import { createGrpcClient, type ClientConstructor } from '@stechuhr/service';

/** Generous, because the machine may be busy with the work that the command has started. */
const CONNECT_MS = 15_000;

/** Creates the client of a service for the duration of one command. */
export function grpcClient<C extends object>(Constructor: ClientConstructor<C>, address: string): C {
  return createGrpcClient(Constructor, address, { connectMs: CONNECT_MS });
}
