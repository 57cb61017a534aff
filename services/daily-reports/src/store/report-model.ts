import { Schema, type Connection, type Model } from 'mongoose';
import type { CloudEvent } from '@stechuhr/contracts';
import { outboxIndex } from '@stechuhr/mongo';
import type { Description } from '../domain/description.js';
import type { ReportStatus } from '../domain/report.js';
import type { ReportSize } from '../domain/report-size.js';

/** A report of one project and day; `_id` is `<institution>/<project>/<date>`. */
export interface ReportDocument {
  readonly _id: string;
  readonly institution_id: string;
  readonly tag_id: string;
  /** Days since 1970-01-01. */
  readonly date: number;
  readonly next_sequence: number;
  /** Absent in reports to which nothing has been written since an older version. */
  readonly size?: ReportSize;
  readonly revision: number;
  /** Each mark contains the institution, so that lists find marks by an index. */
  readonly marks: readonly StoredMark[];
  readonly status: ReportStatus;
  readonly log: readonly LoggedChange[];
  readonly log_revision: number;
  readonly has_entries: boolean;
  /** Null if the description was never computed. */
  readonly form_fingerprint: string | null;
  readonly description: Description | null;
  readonly outbox: readonly CloudEvent[];
}

interface StoredMark {
  readonly id: string;
  readonly at: Date;
  readonly institution_id: string;
  /** Only set for an autofill. */
  readonly autofilled?: readonly { readonly entry_id: string; readonly field_id: string }[];
}

/** A change of status. */
export interface LoggedChange {
  readonly id: string;
  readonly status: ReportStatus;
  readonly actor_id: string;
  readonly at: Date;
  readonly reason: string | null;
  readonly live_sequence: number | null;
}

const schema = new Schema<ReportDocument>(
  {
    _id: { type: String, required: true },
    institution_id: { type: String },
    tag_id: { type: String },
    date: { type: Number },
    next_sequence: { type: Number },
    size: { entries: Number, bytes: Number },
    revision: { type: Number },
    marks: {
      type: [
        new Schema(
          { id: String, at: Date, institution_id: String, autofilled: { type: [Schema.Types.Mixed], default: undefined } },
          { _id: false },
        ),
      ],
      default: undefined,
    },
    status: { type: String },
    log: {
      type: [new Schema({ id: String, status: String, actor_id: String, at: Date, reason: String, live_sequence: Number }, { _id: false })],
      default: undefined,
    },
    log_revision: { type: Number },
    has_entries: { type: Boolean },
    form_fingerprint: { type: String },
    description: { type: Schema.Types.Mixed },
    outbox: { type: [Schema.Types.Mixed], default: undefined },
  },
  { collection: 'descriptors', versionKey: false, minimize: false },
);
// The last fields make the index covering, so that lists are counted without reading documents.
schema.index({ institution_id: 1, date: -1, tag_id: 1, has_entries: 1, status: 1 });
schema.index({ institution_id: 1, tag_id: 1, date: -1, has_entries: 1, status: 1 });
schema.index({ institution_id: 1, _id: 1 });
schema.index({ 'marks.institution_id': 1 }, { sparse: true });
schema.index({ institution_id: 1, 'log.id': 1 }, { partialFilterExpression: { 'log.id': { $exists: true } } });
schema.index(...outboxIndex);

export function reportModel(connection: Connection): Model<ReportDocument> {
  return connection.model<ReportDocument>('Report', schema);
}
