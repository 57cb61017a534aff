import { describe, expect, it } from '@jest/globals';
import { Metadata, status, type ServiceError } from '@grpc/grpc-js';
import { AppError, type AppErrorCode, type FieldErrors } from '@stechuhr/kernel';
import { fromServiceError, isInterrupted, toStatus, wasRefused } from './status.js';

/** The error that the other side receives. */
function cross(error: AppError): AppError {
  const sent = toStatus(error);
  return fromServiceError(Object.assign(new Error(sent.details), sent));
}

function transportError(code: status, details = ''): ServiceError {
  return Object.assign(new Error('transport'), { code, details, metadata: new Metadata() });
}

const CODES: AppErrorCode[] = [
  'invalid',
  'unauthenticated',
  'forbidden',
  'not_found',
  'conflict',
  'precondition',
  'rate_limited',
  'unavailable',
  'internal',
];

describe('an AppError that crosses gRPC', () => {
  it.each(CODES)('keeps the code %s, its message and details', (code) => {
    const details: FieldErrors = { date: ['Ungültig.'], rows: [{}, { type: ['x'] }] };
    const arrived = cross(new AppError(code, 'Größe fehlt.', { details }));
    expect([arrived.code, arrived.message, arrived.details]).toEqual([code, 'Größe fehlt.', details]);
  });

  it('names the problems of fields to clients that do not know the trailer', () => {
    const { details } = toStatus(AppError.invalid({ project_id: ['Must be a valid UUID.'] }));
    expect(details).toBe('The request is invalid: {"project_id":["Must be a valid UUID."]}');
  });

  it('has a text that HTTP/2 can carry wherever it is cut', () => {
    const { details } = toStatus(AppError.invalid({ name: ['🏗'.repeat(200)] }));
    expect(details.length).toBeLessThanOrEqual(200);
    expect(details.isWellFormed()).toBe(true);
    expect(toStatus(new AppError('conflict', `x${'🏗'.repeat(200)}`)).details.isWellFormed()).toBe(true);
    expect(cross(new AppError('conflict', `x${'🏗'.repeat(600)}`)).message.isWellFormed()).toBe(true);
  });

  it('leaves its cause behind', () => {
    const sent = toStatus(new AppError('internal', 'Internal error.', { cause: new Error('password is hunter2') }));
    expect(JSON.stringify([sent.details, sent.metadata.toHttp2Headers()])).not.toContain('hunter2');
  });

  it('fits into the headers however long it is, with the first problems', () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`field_${index}`, ['Dieses Feld ist ungültig.']]));
    const error = new AppError('invalid', 'ü'.repeat(5_000), { details: many });
    const headers = Object.values(toStatus(error).metadata.toHttp2Headers()).flat().join('');
    const arrived = cross(error);
    expect(headers.length).toBeLessThan(6_000);
    expect(arrived.code).toBe('invalid');
    expect(arrived.details).toMatchObject({ field_0: ['Dieses Feld ist ungültig.'] });
  });

  it('has a generic message if not even the name of a field fits', () => {
    const arrived = cross(AppError.invalid({ ['x'.repeat(10_000)]: ['Dieses Feld ist ungültig.'] }));
    expect(arrived.details).toEqual({ non_field_errors: ['The request is invalid.'] });
  });
});

describe('an error of the transport', () => {
  it.each([
    [status.UNAVAILABLE, 'unavailable'],
    [status.DEADLINE_EXCEEDED, 'unavailable'],
    [status.CANCELLED, 'unavailable'],
    [status.UNIMPLEMENTED, 'unavailable'],
    [status.RESOURCE_EXHAUSTED, 'internal'],
  ])('with status %d becomes %s', (code, expected) => {
    expect(fromServiceError(transportError(code)).code).toBe(expected);
  });

  it.each([
    ['Received RST_STREAM with code 2 triggered by internal client error: write EPIPE', 'unavailable', true],
    ['Received RST_STREAM with code 2 triggered by internal client error: read EHOSTUNREACH', 'unavailable', true],
    ['Received RST_STREAM with code 2 triggered by internal client error: Session closed with error code 2', 'unavailable', true],
    ['Received RST_STREAM with code 2 (Internal server error)', 'internal', false],
    ['Session closed with error code 2', 'internal', false],
  ])('of status INTERNAL with the details %j is %s', (details, code, interrupted) => {
    const error = fromServiceError(transportError(status.INTERNAL, details));
    expect([error.code, isInterrupted(error)]).toEqual([code, interrupted]);
  });

  it.each([
    ['Bandwidth exhausted or memory limit exceeded', 'unavailable'],
    ['Received message larger than max (9000000 vs. 8388608)', 'internal'],
  ])('of status RESOURCE_EXHAUSTED with the details %j is %s', (details, code) => {
    const error = fromServiceError(transportError(status.RESOURCE_EXHAUSTED, details));
    expect([error.code, isInterrupted(error)]).toEqual([code, false]);
  });

  it.each([
    ['Stream refused by server', true, false],
    ['Connection dropped', false, true],
  ])('of status UNAVAILABLE with the details %j was refused: %s', (details, refused, interrupted) => {
    const error = fromServiceError(transportError(status.UNAVAILABLE, details));
    expect([wasRefused(error), isInterrupted(error)]).toEqual([refused, interrupted]);
  });

  it('with a foreign trailer is translated by its status', () => {
    const error = transportError(status.INTERNAL);
    error.metadata.set('stechuhr-error-bin', Buffer.from('{"code":"toString"}'));
    expect(fromServiceError(error).code).toBe('internal');
  });
});
