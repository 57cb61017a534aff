import { createGrpcClient, type ClientConstructor } from '@stechuhr/service';

/** A command does nothing else meanwhile, and the machine may be busy with what the command is about. */
const CONNECT_MS = 15_000;

/** The client of a service for one command. */
export function grpcClient<C extends object>(Constructor: ClientConstructor<C>, address: string): C {
  return createGrpcClient(Constructor, address, { connectMs: CONNECT_MS });
}
