import { Schema, type Connection, type Model } from 'mongoose';
import type { CloudEvent } from '@stechuhr/contracts';
import { outboxIndex } from '@stechuhr/mongo';
import type { SkippedEmployee, Step, Task, TaskStatus } from '../domain/task.js';

export interface TaskDocument {
  readonly _id: string;
  readonly institution_id: string;
  readonly account_id: string;
  readonly visibility: Task['visibility'];
  /** Absent after it was freed. */
  readonly fingerprint?: string;
  readonly exporter: string;
  /** Stored as JSON, because clients choose the names of parameters, which may contain anything. */
  readonly parameters: string;
  readonly file_name: string;
  readonly label: string;
  readonly skipped_at_start: number;
  readonly created_at: Date;
  readonly traceparent: string | null;
  readonly status: TaskStatus;
  readonly started_at: Date | null;
  readonly ended_at: Date | null;
  readonly deleted_at: Date | null;
  /** Until when a deleted task is kept, so that all of its files can be removed. */
  readonly marker_until?: Date;
  readonly attempt: number;
  readonly lease_until: Date | null;
  readonly lease_lost: boolean;
  readonly failures: number;
  readonly lost_leases: number;
  readonly waits: number;
  /** Absent in tasks of version 0.2. */
  readonly interruptions?: number;
  readonly rows_done: number;
  readonly rows_estimated: number;
  readonly skipped: readonly SkippedEmployee[];
  /** Absent in tasks of version 0.2. */
  readonly forgotten?: readonly string[];
  readonly failure: Task['failure'];
  readonly step: Step;
  readonly due_at: Date;
  /** Absent in tasks of version 0.1. */
  readonly held?: boolean;
  /** Absent in tasks of version 0.2. */
  readonly turn_at?: Date | null;
  readonly version: number;
  readonly outbox: readonly CloudEvent[];
}

const text = { type: String, required: true } as const;
const number = { type: Number, required: true } as const;
const date = { type: Date, required: true } as const;
const maybeDate = { type: Date, default: null } as const;
const mixed = { type: Schema.Types.Mixed, required: true } as const;

const schema = new Schema<TaskDocument>(
  {
    _id: text,
    institution_id: text,
    account_id: text,
    visibility: mixed,
    fingerprint: { type: String },
    exporter: text,
    parameters: text,
    file_name: text,
    label: text,
    skipped_at_start: number,
    created_at: date,
    traceparent: { type: String, default: null },
    status: text,
    started_at: maybeDate,
    ended_at: maybeDate,
    deleted_at: maybeDate,
    marker_until: { type: Date },
    attempt: number,
    lease_until: maybeDate,
    lease_lost: { type: Boolean, default: false },
    failures: number,
    lost_leases: number,
    waits: number,
    interruptions: { type: Number, default: 0 },
    rows_done: number,
    rows_estimated: number,
    skipped: { type: [Schema.Types.Mixed], default: [] },
    forgotten: { type: [String], default: [] },
    failure: { type: Schema.Types.Mixed, default: null },
    step: text,
    due_at: date,
    held: { type: Boolean, default: false },
    turn_at: maybeDate,
    version: number,
    outbox: { type: [Schema.Types.Mixed], default: [] },
  },
  { collection: 'tasks', versionKey: false, minimize: false },
);
schema.index({ institution_id: 1, fingerprint: 1 }, { unique: true, partialFilterExpression: { fingerprint: { $exists: true } } });
schema.index({ institution_id: 1, account_id: 1, created_at: -1, _id: 1 });
schema.index({ institution_id: 1, status: 1, waits: 1, created_at: 1, _id: 1 });
// Deleted employees are looked up in the lists of those whom files leave out; most tasks have none.
schema.index({ institution_id: 1, 'skipped.id': 1 }, { partialFilterExpression: { 'skipped.id': { $exists: true } } });
schema.index({ due_at: 1 });
schema.index({ status: 1, turn_at: 1 });
schema.index(...outboxIndex);

export function taskModel(connection: Connection): Model<TaskDocument> {
  return connection.model<TaskDocument>('Task', schema);
}
