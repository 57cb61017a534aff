import { newId } from '@stechuhr/kernel';

const SANE = /^[A-Za-z0-9._-]{1,128}$/;

/** The id under which a request is logged and answered: the client's own when it is sane, else a new one. */
export function requestIdOf(sent: string | undefined): string {
  return sent !== undefined && SANE.test(sent) ? sent : newId();
}
