import type { Client, Metadata } from '@grpc/grpc-js';
import { institutionOf } from '@stechuhr/contracts';
import { grantOf } from '../call-context.js';
import { metadataWith } from './grant.js';
import type { GrantLength, GrantSigner } from './sign-grants.js';

interface GrantedCall {
  readonly request: unknown;
  readonly signal: AbortSignal | undefined;
  readonly lasts: GrantLength;
}

const signers = new WeakMap<object, GrantSigner>();

/** Adds grants to the calls of a client, if its process may sign them. */
export function signCallsOf(client: object, signer: GrantSigner): void {
  signers.set(client, signer);
}

/** The metadata of a call. The grant of the call that it belongs to is passed on; otherwise a process that may do so signs a new one. */
export function grantedMetadata(client: Client, { request, signal, lasts }: GrantedCall): Metadata {
  const passedOn = grantOf(signal);
  if (passedOn !== undefined) return metadataWith(passedOn);
  const institutionId = institutionOf(request);
  return metadataWith(institutionId === undefined ? undefined : signers.get(client)?.(institutionId, lasts));
}
