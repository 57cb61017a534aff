import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { crashPoints } from './crash-points.js';

const ROOT = join(import.meta.dirname, '../../../..');

/** Matches calls that change MongoDB, JetStream or the object store. A process can be killed between any two of them. */
const SENDS =
  /\.(insertOne|insertMany|updateOne|updateMany|deleteOne|deleteMany|replaceOne|bulkWrite|findOneAndUpdate|findOneAndDelete|findOneAndReplace|createIndexes)\(|\bmodel\.(create)\(|\b(?:bus|connection)\s*\.(publish)\(|\bclient\.(putObject|removeObjects?|copyObject)\(/g;

/** Changing calls by file, in the order of lines, with the pieces of work whose crash points reach them. */
const reached: Readonly<Record<string, readonly [sends: string, works: readonly string[]]>> = {
  'libs/bus/src/acknowledged-publisher.ts': ['publish', ['a rule and its outbox', 'a task']],
  'libs/bus/src/outbox-relay.ts': ['publish publish', ['a rule and its outbox', 'a live object and its outbox', 'a deletion']],
  'libs/mongo/src/deletion-markers.ts': ['bulkWrite bulkWrite deleteMany', ['a deletion']],
  'libs/mongo/src/outbox.ts': ['deleteMany bulkWrite deleteMany bulkWrite', ['a rule and its outbox', 'a deletion']],
  'libs/mongo/src/slice-claims.ts': ['updateOne updateOne updateOne updateOne', ['a rule and its outbox', 'a suppression and its outbox']],
  'libs/objectstore/src/object-store.ts': [
    'copyObject removeObject removeObjects putObject putObject',
    ['a job and its upload', 'the form of an upload'],
  ],
  'services/absence-rules/src/store/rule-store.ts': [
    'updateOne create findOneAndUpdate',
    ['a rule and its outbox', 'what follows a deletion'],
  ],
  'services/daily-reports/src/store/entry-store.ts': ['insertMany updateMany updateOne updateOne', ['autofill']],
  'services/daily-reports/src/store/report-store.ts': ['findOneAndUpdate bulkWrite updateOne', ['autofill']],
  'services/daily-reports/src/store/upload-store.ts': [
    'insertMany bulkWrite updateOne updateOne deleteMany updateMany deleteOne updateOne',
    ['the form of an upload'],
  ],
  'services/records/src/store/bulk-write.ts': ['bulkWrite', ['a live object and its outbox', 'a deletion']],
  'services/records/src/store/ingest-clock.ts': [
    'updateOne updateOne updateOne updateOne updateOne',
    ['a live object and its outbox', 'a deletion'],
  ],
  'services/records/src/store/month-store.ts': ['deleteMany', ['a deletion']],
  'services/reviews/src/store/suppression-store.ts': [
    'updateOne create updateOne',
    ['a suppression and its outbox', 'what follows a deletion'],
  ],
  'services/tasks/src/events/job-queue.ts': ['publish publish', ['a task']],
  'services/tasks/src/store/task-store.ts': ['updateMany updateMany deleteOne create updateOne', ['a task']],
};

/** Changing calls without crash points, with the reason why none are needed. */
const unreached: Readonly<Record<string, readonly [sends: string, why: string]>> = {
  'libs/bus/src/slot-mapping.ts': ['publish', 'a message that no stream stores, to find out whether the server adds slots'],
  'libs/mongo/src/connect.ts': ['createIndexes', 'indexes: the next process that starts creates missing ones'],
  'libs/mongo/src/define-stores.ts': ['updateOne', 'that a sweep of the whole database was done: it is repeated otherwise'],
  'libs/mongo/src/redelivery-notes.ts': [
    'findOneAndUpdate updateOne deleteMany deleteMany',
    'notes about kills: one that is missing or left delays a dead letter, or has a message handled alone once',
  ],
  'libs/mongo/src/repeated-removals.ts': [
    'findOneAndUpdate updateOne findOneAndUpdate deleteOne updateOne',
    'a plan is written before the removal that it repeats; a claim on it expires',
  ],
  'services/daily-reports/src/events/daily-report-events.ts': [
    'publish',
    'the event that a report was rendered is published at most once (docs/rules/events.md)',
  ],
  'services/daily-reports/src/store/form-store.ts': [
    'updateOne create updateOne updateOne',
    'a form and its event are one write, like an absence rule and its event',
  ],
  'services/daily-reports/src/store/remove-all.ts': [
    'deleteMany bulkWrite',
    'the deletion of an institution is delivered again until all of its parts are deleted',
  ],
  'services/daily-reports/src/store/weather-agenda.ts': [
    'updateOne updateMany updateMany updateMany updateMany',
    'the due time of the weather of a project; its claim expires, and entries are then written like by autofill',
  ],
  'services/daily-reports/src/store/weather-claims.ts': [
    'updateOne deleteOne deleteMany create',
    'a claim for fetching the weather of a day, which expires; entries are then written like by autofill',
  ],
  'services/exports/src/events/export-ran.ts': ['publish', 'that an export ran: published at most once (docs/rules/events.md)'],
  'services/gateway/src/store/token-store.ts': [
    'deleteMany updateOne updateOne deleteOne updateOne create updateOne deleteMany create',
    'nobody sees a token before it is confirmed, which is one write with its event; what is not confirmed is removed after ten minutes',
  ],
  'services/records/src/events/on-ingest.ts': ['publish', 'forwards a message with its own id and is repeated until it is acknowledged'],
  'services/records/src/store/collections.ts': ['createIndexes', 'indexes: the next process that starts creates missing ones'],
  'services/records/src/store/record-store.ts': [
    'updateOne',
    'the end of an import is one write; an interrupted import is repeated and records its end then',
  ],
  'services/reviews/src/events/review-events.ts': ['publish', 'that a review ran: published at most once (docs/rules/events.md)'],
  'services/reviews/src/store/settings-store.ts': [
    'deleteOne updateOne create',
    'one write per message, which is redelivered until it is acknowledged',
  ],
  'services/webhooks/src/store/delivery-store.ts': [
    'updateOne deleteOne deleteMany insertMany deleteMany updateMany',
    'an event is recorded again until it is acknowledged, with the same ids; a delivery is repeated with the same id until its response is stored (docs/webhooks.md); a sweep repeats deletions',
  ],
  'services/webhooks/src/store/webhook-leases.ts': [
    'updateOne updateOne updateOne updateOne updateOne updateOne updateOne',
    'leases expire, and one that was lost only delays what is due',
  ],
  'services/webhooks/src/store/webhook-store.ts': [
    'updateOne updateOne updateOne updateOne updateOne updateOne deleteOne updateOne bulkWrite create',
    'a webhook and its event are one write, like an absence rule and its event; a sweep repeats deletions',
  ],
};

function sendsOf(file: string): string {
  return [...readFileSync(join(ROOT, file), 'utf8').matchAll(SENDS)].map(([, ...names]) => names.find(Boolean)).join(' ');
}

describe('crash points cover all steps', () => {
  const files = globSync('{services,libs}/*/src/**/*.ts', { cwd: ROOT }).filter(
    (file) => !/\.test\.ts$|\/gen\/|^libs\/(testing|local-infra)\//.test(file),
  );
  const sending = files.map((file) => [file, sendsOf(file)] as const).filter(([, sends]) => sends !== '');

  it('every call that changes a server is in these tables', () => {
    const known = Object.entries({ ...reached, ...unreached }).map(([file, [sends]]) => [file, sends] as const);
    expect(Object.fromEntries(sending)).toEqual(Object.fromEntries(known));
  });

  it('every piece of work in these tables has scenarios', () => {
    const works = new Set(Object.values(reached).flatMap(([, names]) => names));
    for (const work of works) expect(crashPoints.filter(({ name }) => name.includes(` of ${work}, `)).length).toBeGreaterThanOrEqual(2);
  });
});
