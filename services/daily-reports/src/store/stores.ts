import { deletionMarkerIndex, removalCollection } from '@stechuhr/mongo';
import { Schema, type Collection, type Connection, type Model } from 'mongoose';
import type { EntryStore } from '../operations/entry-port.js';
import type { FormStore } from '../operations/form-port.js';
import type { ReportStore } from '../operations/report-port.js';
import { entryModel } from './entry-model.js';
import { createEntryStore } from './entry-store.js';
import { formModel, type FormDocument } from './form-model.js';
import { createFormStore } from './form-store.js';
import { reportModel } from './report-model.js';
import { createReportStore } from './report-store.js';
import { uploadModel, type UploadDocument } from './upload-store.js';
import { weatherClaimModel, type WeatherClaimDocument } from './weather-claims.js';

export interface Stores {
  readonly entries: EntryStore;
  readonly reports: ReportStore;
  readonly forms: FormStore;
}

/** All stores of the service. */
export interface Storage {
  readonly stores: Stores;
  /** The collections whose documents have an outbox. */
  readonly collections: readonly Collection[];
  /** Markers of records that live objects deleted. */
  readonly markers: Collection;
  /** Deleted institutions, whose data is removed again. */
  readonly removals: Collection;
  /** The forms, which contain the schedule of the weather. */
  readonly forms: Model<FormDocument>;
  readonly weatherClaims: Model<WeatherClaimDocument>;
  readonly uploads: Model<UploadDocument>;
}

export function createStores(connection: Connection): Storage {
  const entries = entryModel(connection);
  const reports = reportModel(connection);
  const forms = formModel(connection);
  return {
    stores: { entries: createEntryStore(entries), reports: createReportStore(reports), forms: createFormStore(forms) },
    collections: [entries.collection, reports.collection, forms.collection],
    markers: deletionMarkerModel(connection).collection,
    removals: removalCollection(connection),
    forms,
    weatherClaims: weatherClaimModel(connection),
    uploads: uploadModel(connection),
  };
}

interface MarkerDocument {
  readonly _id: string;
  readonly until: Date;
}

/** libs/mongo reads and writes this collection. The model only defines its name and index. */
const markerSchema = new Schema<MarkerDocument>(
  { _id: { type: String, required: true }, until: { type: Date } },
  { collection: 'deletion_markers', versionKey: false },
);
markerSchema.index(deletionMarkerIndex);

function deletionMarkerModel(connection: Connection): Model<MarkerDocument> {
  return connection.model<MarkerDocument>('DeletionMarker', markerSchema);
}
