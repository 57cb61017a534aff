import { describe, expect, it } from '@jest/globals';
import { addressingsOf } from './addressing.js';

const INSTITUTION = '0df3114d-57ab-521c-9799-fda900f0d2ce';
const RECORD = '1d3d1fb4-8955-56fa-9ab5-4d459b06dcca';

describe('addressingsOf', () => {
  it.each<[string, Record<string, unknown>]>([
    ['a find by institution', { find: 'employees', filter: { institution_id: INSTITUTION, _id: RECORD } }],
    ['a find in some institutions', { find: 'employees', filter: { institution_id: { $in: [INSTITUTION] } } }],
    ['a condition under $and', { find: 'employees', filter: { $and: [{ institution_id: INSTITUTION }, { deleted_at: null }] } }],
    ['a find by ids that begin with it', { find: 'weather_claims', filter: { _id: { $in: [`${INSTITUTION}/${RECORD}/2026-10-01`] } } }],
    ['a find of nothing', { find: 'employees', filter: { institution_id: { $in: [] }, _id: { $in: [] } } }],
    ['the institution itself', { find: 'institutions', filter: { _id: INSTITUTION } }],
    ['a pipeline that begins with it', { aggregate: 'tasks', pipeline: [{ $match: { institution_id: INSTITUTION } }, { $group: {} }] }],
    ['an insertion', { insert: 'entries', documents: [{ _id: RECORD, institution_id: INSTITUTION }] }],
    ['an update', { update: 'tasks', updates: [{ q: { _id: RECORD, institution_id: INSTITUTION }, u: {} }] }],
    ['a deletion', { delete: 'tasks', deletes: [{ q: { institution_id: INSTITUTION }, limit: 0 }] }],
    [
      'a find that modifies',
      { findAndModify: 'descriptors', query: { _id: `${INSTITUTION}/${RECORD}/2026-10-01`, institution_id: INSTITUTION } },
    ],
  ])('finds the institution of %s', (_, command) => {
    expect(addressingsOf(command).map(({ isScoped }) => isScoped)).toEqual([true]);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['a find by a bare id', { find: 'employees', filter: { _id: RECORD } }, '{ _id }'],
    ['a find by bare ids', { find: 'employees', filter: { _id: { $in: [RECORD] } } }, '{ _id: { $in: [] } }'],
    ['any institution', { find: 'entries', filter: { institution_id: { $gt: '' } } }, '{ institution_id: { $gt } }'],
    ['no institution', { find: 'entries', filter: { institution_id: null } }, '{ institution_id }'],
    ['an id that begins with it where another key divides', { find: 'workmonths', filter: { _id: `${INSTITUTION}/a/2026-10` } }, '{ _id }'],
    ['everything', { count: 'tasks' }, '{  }'],
    ['a pipeline that joins first', { aggregate: 'tasks', pipeline: [{ $lookup: {} }] }, '{  }'],
    ['an insertion without an owner', { insert: 'weather', documents: [{ _id: RECORD }] }, '{ _id }'],
    ['one of two updates', { update: 'tasks', updates: [{ q: { due_at: new Date(0) } }] }, '{ due_at }'],
  ])('finds no institution in %s', (_, command, shape) => {
    expect(addressingsOf(command)).toMatchObject([{ isScoped: false, shape }]);
  });

  it('has nothing to say about commands that address no documents', () => {
    expect([{ ping: 1 }, { createIndexes: 'tasks', indexes: [] }, { getMore: 1, collection: 'tasks' }].flatMap(addressingsOf)).toEqual([]);
  });
});
