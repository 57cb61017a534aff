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

/** Makes a client sign its calls, if its process may sign grants. */
export function signCallsOf(client: object, signer: GrantSigner): void {
  signers.set(client, signer);
}

/**
 * Returns the metadata of a call. The grant of the call being served is passed on; otherwise a new one is signed if this process may sign
 * grants.
 */
export function grantedMetadata(client: Client, { request, signal, lasts }: GrantedCall): Metadata {
  const passedOn = grantOf(signal);
  if (passedOn !== undefined) return metadataWith(passedOn);
  const institutionId = institutionOf(request);
  return metadataWith(institutionId === undefined ? undefined : signers.get(client)?.(institutionId, lasts));
}
