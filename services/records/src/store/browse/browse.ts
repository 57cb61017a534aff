import type { MongoDb } from '@stechuhr/mongo';
import type { BrowsedRecords, GroupName } from '../../domain/browse.js';
import type { Browse } from '../../operations/browse-records.js';
import { employeeRecords } from './employee-records.js';
import { masterData } from './master-data.js';
import { monthPages } from './month-pages.js';
import type { Source } from './source.js';

export function createBrowse(database: MongoDb): Browse {
  const sources: { readonly [G in GroupName]: Source<BrowsedRecords[G]> } = {
    ...masterData(database),
    ...employeeRecords(database),
    ...monthPages(database),
  };
  return { page: (caller, group, query) => sources[group](caller, query) };
}
