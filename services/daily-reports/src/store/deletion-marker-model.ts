import { Schema, type Connection, type Model } from 'mongoose';
import { deletionMarkerIndex } from '@stechuhr/mongo';

interface MarkerDocument {
  readonly _id: string;
  readonly until: Date;
}

/** Written and read by libs/mongo; here it only has its name and its index. */
const schema = new Schema<MarkerDocument>(
  { _id: { type: String, required: true }, until: { type: Date } },
  { collection: 'deletion_markers', versionKey: false },
);
schema.index(deletionMarkerIndex);

export function deletionMarkerModel(connection: Connection): Model<MarkerDocument> {
  return connection.model<MarkerDocument>('DeletionMarker', schema);
}
