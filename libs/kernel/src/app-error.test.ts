import { describe, expect, it } from '@jest/globals';
import { AppError } from './app-error.js';

const named = (name: string) => Object.assign(new Error('driver'), { name });
/** The error with which the driver wraps an error of a bulk write. */
const bulk = (errorResponse: unknown) => Object.assign(named('MongoBulkWriteError'), { errorResponse });
const answered = (code: number, name = 'MongoServerError') => Object.assign(named(name), { code });
const coded = (code: unknown) => Object.assign(new Error('driver'), { code });

describe('AppError.from', () => {
  it('returns an AppError unchanged', () => {
    const error = AppError.invalid({ name: ['This field is required.'] });
    expect(AppError.from(error)).toBe(error);
  });

  it.each([
    [named('MongoServerSelectionError'), 'unavailable'],
    [named('MongoPoolClearedError'), 'unavailable'],
    [named('PoolClearedOnNetworkError'), 'unavailable'],
    [named('MaxRetriesPerRequestError'), 'unavailable'],
    [coded('ECONNREFUSED'), 'unavailable'],
    [coded('EHOSTUNREACH'), 'unavailable'],
    [coded('ENETUNREACH'), 'unavailable'],
    [coded('EADDRNOTAVAIL'), 'unavailable'],
    [coded('EACCES'), 'internal'],
    [bulk(named('MongoNetworkError')), 'unavailable'],
    // A full disk, an election.
    [answered(14_031), 'unavailable'],
    [answered(14_031, 'MongoBulkWriteError'), 'unavailable'],
    [answered(10_107), 'unavailable'],
    // A router without a primary, a member that has just started.
    [answered(133), 'unavailable'],
    [answered(134), 'unavailable'],
    [answered(11_000), 'internal'],
    // The code of a gRPC error has a different meaning.
    [coded(7), 'internal'],
    [bulk({ message: 'E11000 duplicate key', code: 11000 }), 'internal'],
    [coded(11000), 'internal'],
    [named('TypeError'), 'internal'],
    ['a string', 'internal'],
    [undefined, 'internal'],
  ])('converts %s to the code %s and keeps it as the cause, but not in the message', (caught, code) => {
    const error = AppError.from(caught);
    expect([error.code, error.cause]).toEqual([code, caught]);
    expect(error.message).not.toContain('driver');
  });
});
