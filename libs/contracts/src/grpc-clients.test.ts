import { describe, expect, it } from '@jest/globals';
import { grpcClientSchema, openMethods } from './grpc-clients.js';
import { needsGrant } from './grpc-grants.js';
import { callersOf } from './grpc-rights.js';

describe('methods that are open to services of other teams', () => {
  it.each(openMethods)('%s can be called by services of the platform with a grant, so its request contains an institution', (method) => {
    expect(callersOf(`/${method}`).some((caller) => needsGrant(caller, `/${method}`))).toBe(true);
  });
});

describe('a client', () => {
  const planning = { name: 'planning', methods: ['stechuhr.records.v1.RecordsService/ListEmployees'] };

  it('has a name, methods, and optionally institutions', () => {
    expect(grpcClientSchema.safeParse(planning).success).toBe(true);
    expect(grpcClientSchema.safeParse({ ...planning, institutions: ['0b2f7f1e-6f0a-4c0e-9a55-0d9c5b1d2e3f'] }).success).toBe(true);
  });

  it.each([
    [{ name: 'gateway' }],
    [{ name: 'toolbox' }],
    [{ name: 'Planning' }],
    [{ methods: [] }],
    [{ methods: ['stechuhr.records.v1.RecordsService/Import'] }],
    [{ institutions: [] }],
    [{ institutions: ['*'] }],
    [{ institution: '0b2f7f1e-6f0a-4c0e-9a55-0d9c5b1d2e3f' }],
  ])('is invalid with %j', (other) => {
    expect(grpcClientSchema.safeParse({ ...planning, ...other }).success).toBe(false);
  });
});
