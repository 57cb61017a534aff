import type { Collection, Connection } from 'mongoose';
import type { EntryStore } from '../operations/entry-port.js';
import type { FormStore } from '../operations/form-port.js';
import type { ReportStore } from '../operations/report-port.js';
import { entryModel } from './entry-model.js';
import { createEntryStore } from './entry-store.js';
import { formModel } from './form-model.js';
import { createFormStore } from './form-store.js';
import { reportModel } from './report-model.js';
import { createReportStore } from './report-store.js';

export interface Stores {
  readonly entries: EntryStore;
  readonly reports: ReportStore;
  readonly forms: FormStore;
}

/** All that the service stores, and the collections whose documents carry events. */
export function createStores(connection: Connection): { readonly stores: Stores; readonly collections: readonly Collection[] } {
  const entries = entryModel(connection);
  const reports = reportModel(connection);
  const forms = formModel(connection);
  return {
    stores: { entries: createEntryStore(entries), reports: createReportStore(reports), forms: createFormStore(forms) },
    collections: [entries.collection, reports.collection, forms.collection],
  };
}
