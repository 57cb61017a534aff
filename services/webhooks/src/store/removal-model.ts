import { repeatedRemovalIndex } from '@stechuhr/mongo';
import { Schema, type Connection, type Model } from 'mongoose';

interface RemovalDocument {
  readonly _id: string;
  readonly due_at: Date;
}

/** libs/mongo reads and writes this collection. The model only defines its name and index. */
const schema = new Schema<RemovalDocument>(
  { _id: { type: String, required: true }, due_at: { type: Date } },
  { collection: 'deleted_institutions', versionKey: false },
);
schema.index(repeatedRemovalIndex);

export function removalModel(connection: Connection): Model<RemovalDocument> {
  return connection.model<RemovalDocument>('DeletedInstitution', schema);
}
