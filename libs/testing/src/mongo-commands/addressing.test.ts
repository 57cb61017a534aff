import { describe, expect, it } from '@jest/globals';
import { addressingsOf } from './addressing.js';

const INSTITUTION = '0df3114d-57ab-521c-9799-fda900f0d2ce';
const RECORD = '1d3d1fb4-8955-56fa-9ab5-4d459b06dcca';

describe('addressingsOf', () => {
  it.each<[string, Record<string, unknown>]>([
    ['a find by institution', { find: 'employees', filter: { institution_id: INSTITUTION, _id: RECORD } }],
    ['a find in some institutions', { find: 'employees', filter: { institution_id: { $in: [INSTITUTION] } } }],
    ['a condition under $and', { find: 'employees', filter: { $and: [{ institution_id: INSTITUTION }, { deleted_at: null }] } }],
    [
      'a find by ids that begin with the institution',
      { find: 'weather_claims', filter: { _id: { $in: [`${INSTITUTION}/${RECORD}/2026-10-01`] } } },
    ],
    ['a find of nothing', { find: 'employees', filter: { institution_id: { $in: [] }, _id: { $in: [] } } }],
    ['the institution itself', { find: 'institutions', filter: { _id: INSTITUTION } }],
    [
      'a pipeline that begins with a match of the institution',
      { aggregate: 'tasks', pipeline: [{ $match: { institution_id: INSTITUTION } }, { $group: {} }] },
    ],
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
    ['a find in any institution', { find: 'entries', filter: { institution_id: { $gt: '' } } }, '{ institution_id: { $gt } }'],
    ['a find without institution', { find: 'entries', filter: { institution_id: null } }, '{ institution_id }'],
    [
      'a find by such an id in a collection with another shard key',
      { find: 'workmonths', filter: { _id: `${INSTITUTION}/a/2026-10` } },
      '{ _id }',
    ],
    ['a count of all documents', { count: 'tasks' }, '{  }'],
    ['a pipeline that begins with a join', { aggregate: 'tasks', pipeline: [{ $lookup: {} }] }, '{  }'],
    ['an insertion without institution', { insert: 'weather', documents: [{ _id: RECORD }] }, '{ _id }'],
    ['an update without institution', { update: 'tasks', updates: [{ q: { due_at: new Date(0) } }] }, '{ due_at }'],
  ])('finds no institution in %s', (_, command, shape) => {
    expect(addressingsOf(command)).toMatchObject([{ isScoped: false, shape }]);
  });

  it('returns nothing for commands without documents', () => {
    expect([{ ping: 1 }, { createIndexes: 'tasks', indexes: [] }, { getMore: 1, collection: 'tasks' }].flatMap(addressingsOf)).toEqual([]);
  });
});
