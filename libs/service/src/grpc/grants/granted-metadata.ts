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

/** Has the calls of a client signed, as far as its process may. */
export function signCallsOf(client: object, signer: GrantSigner): void {
  signers.set(client, signer);
}

/** The metadata of a call: the grant of the call that it belongs to is passed on; who may, signs one. */
export function grantedMetadata(client: Client, { request, signal, lasts }: GrantedCall): Metadata {
  const passedOn = grantOf(signal);
  if (passedOn !== undefined) return metadataWith(passedOn);
  const institutionId = institutionOf(request);
  return metadataWith(institutionId === undefined ? undefined : signers.get(client)?.(institutionId, lasts));
}
