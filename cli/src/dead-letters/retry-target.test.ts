import { describe, expect, it } from '@jest/globals';
import { createEvent } from '@stechuhr/bus';
import { deletionSubject } from '@stechuhr/contracts';
import { systemClock } from '@stechuhr/kernel';
import { retryTarget } from './retry-target.js';

const A = '0b2f7f1e-6f0a-4c0e-9a55-0d9c5b1d2e3f';
const B = '7a1c3f52-0f64-4a3e-8f0e-5a4f5a0d9c11';
const account = (institution: string) => JSON.stringify({ kind: 'account', institution_id: institution, id: B, role: 'admin' });

const deletion = JSON.stringify(createEvent({ type: 'records.employee.deleted', institutionId: A, data: { id: B }, clock: systemClock }));

describe('retryTarget', () => {
  it.each([
    ['a live object', `stechuhr.ingest.${A}.account`, account(A)],
    ['a live object, whatever the case of its institution', `stechuhr.ingest.${A}.account`, account(A.toUpperCase())],
    ['a deletion', deletionSubject(A, 'reviews', 'employee'), deletion],
  ])('is the subject of %s', (_name, subject, payload) => {
    expect(retryTarget(subject, Buffer.from(payload))).toEqual({ subject });
  });

  it.each([
    [
      'an object of another institution than its subject',
      `stechuhr.ingest.${B}.account`,
      account(A),
      `which does not match its subject stechuhr.ingest.${B}.account`,
    ],
    ['an object that names another institution', `stechuhr.ingest.${A}.account`, account(B), `belongs to ${B} and account`],
    ['an object of another kind', `stechuhr.ingest.${A}.department`, account(A), 'and account, which does not match its subject'],
    ['a message that is no object', `stechuhr.ingest.${A}.account`, '[1', 'names no institution and kind'],
    ['an event', `stechuhr.events.${A}.records.employee.deleted`, account(A), 'Only live objects and deletions'],
    ['a handed-over object, which only records sends', `stechuhr.handovers.${A}.account`, account(A), 'Only live objects'],
    ['an object that version 0.2 handed over', `stechuhr.jobs.ingest.${A}.account`, account(A), 'Only live objects'],
    ['a subject of the server', '$JS.API.STREAM.DELETE.STECHUHR_EVENTS', account(A), 'Only live objects'],
    ['a wildcard', `stechuhr.ingest.*.account`, account(A), 'does not match'],
    ['a deletion of another institution', deletionSubject(B, 'reviews', 'employee'), deletion, 'not a deletion that'],
    ['a deletion of another kind', deletionSubject(A, 'reviews', 'institution'), deletion, 'not a deletion that'],
    ['a deletion for a service that has none', deletionSubject(A, 'exports', 'employee'), deletion, 'not a deletion that'],
    ['an export job, whose task has ended', 'stechuhr.jobs.export', JSON.stringify({ task_id: A }), 'start the export again'],
  ])('refuses %s', (_name, subject, payload, reason) => {
    expect(retryTarget(subject, Buffer.from(payload))).toEqual({ refusal: expect.stringContaining(reason) });
  });
});
