import { isDuplicateKey } from '@stechuhr/mongo';
import { trusted, type Model, type QueryFilter } from 'mongoose';
import type { CloudEvent } from '@stechuhr/contracts';
import type { Clock } from '@stechuhr/kernel';
import type { Change, Owner, Task, TaskStatus } from '../domain/task.js';
import { OWN_STEP_MS } from '../domain/periods.js';
import type { DueRange, ListQuery, TaskStore } from '../operations/ports.js';
import { changedFields, changingFields, fixedFields, optionalFields, toTask, toTaskOfStep } from './task-document.js';
import type { TaskDocument } from './task-model.js';

/** Excludes the outbox from reads, because only the relay needs its events. */
const FIELDS = { outbox: 0 } as const;

/**
 * Excludes what no step needs and what may be large as well: an account may be limited to 20,000 departments and projects, and a file may leave
 * out thousands of employees. Hundreds of tasks are read together, many of them again each minute.
 */
const FIELDS_OF_STEPS = { ...FIELDS, visibility: 0, parameters: 0, label: 0, skipped: 0 } as const;

const OPEN: TaskStatus[] = ['created', 'in_progress'];
/** The order in which open tasks of an institution are admitted. */
const FIRST = { waits: 1, created_at: 1, _id: 1 } as const;

type ToEvents = (change: Change) => readonly CloudEvent[];

interface Writing {
  readonly model: Model<TaskDocument>;
  readonly toEvents: ToEvents;
  readonly clock: Clock;
  /** Performs a step that is due at once. Does not wait. */
  readonly due: (task: Task) => void;
}

export function createTaskStore(writing: Writing): TaskStore {
  const { model } = writing;
  const findOne = async (filter: QueryFilter<TaskDocument>) => {
    const document = await model.findOne({ ...filter, deleted_at: null }, FIELDS).lean();
    return document === null ? undefined : toTask(document);
  };
  return {
    insert: (owner, change) => insert(writing, owner, change),
    findByFingerprint: (owner, fingerprint) => findOne({ fingerprint, ...ownedBy(owner) }),
    find: (owner, id) => findOne({ _id: id, ...ownedBy(owner) }),
    count: (owner, query) => model.countDocuments(listed(owner, query)),
    async *list(owner, query) {
      // In both directions as the index, so that a page does not sort all tasks of the account.
      const order = query.oldestFirst ? ({ created_at: 1, _id: -1 } as const) : ({ created_at: -1, _id: 1 } as const);
      const found = model.find(listed(owner, query), FIELDS).sort(order).skip(query.offset).limit(query.limit);
      for await (const document of found.lean().cursor()) yield toTask(document);
    },
    idsOf: (owner, limit) => idsOf(model, owner, limit),
    async forgetSkipped(institutionId, employeeId) {
      // Running tasks come first: a task that ends before this write is covered by the second one.
      const running = { ...openOf(institutionId), lease_until: trusted({ $ne: null }) };
      await model.updateMany(running, { $addToSet: { forgotten: employeeId }, $inc: { version: 1 } });
      const named = { institution_id: institutionId, 'skipped.id': employeeId };
      // The new version makes concurrent writers, which have read the old list, read again.
      await model.updateMany(named, { $pull: { skipped: { id: employeeId } }, $inc: { version: 1 } });
    },
    findJob: (id, institutionId) => findOne({ _id: id, ...(institutionId !== undefined && { institution_id: institutionId }) }),
    save: (before, change) => save(writing, before, change),
    due: async (range, limit) =>
      (await model.find(dueIn(range), FIELDS_OF_STEPS).sort({ due_at: 1 }).limit(limit).lean()).map(toTaskOfStep),
    async dueUntil(range, limit) {
      const found = await model.find(dueIn(range), { _id: 0, due_at: 1 }).sort({ due_at: 1 }).limit(limit).lean();
      return found.at(-1)?.due_at.toISOString();
    },
    firstOpenOf: async (institutionId, limit) =>
      (await model.find(openOf(institutionId), FIELDS_OF_STEPS).sort(FIRST).limit(limit).lean()).map(toTaskOfStep),
    async firstOpenIdsOf(institutionId, limit) {
      const found = model.find(openOf(institutionId), { _id: 1 }).sort(FIRST);
      return (await found.limit(limit).lean()).map(({ _id }) => _id);
    },
    countOpenOf: (institutionId, limit) => model.countDocuments(openOf(institutionId)).limit(limit),
    async oldestAdmission() {
      const open = { status: trusted({ $in: OPEN }), deleted_at: null, turn_at: trusted({ $gt: new Date(0) }) };
      const [oldest] = await model.find(open, { turn_at: 1 }).sort({ turn_at: 1 }).limit(1).lean();
      return oldest?.turn_at?.getTime();
    },
    overdue: (before, examples) => overdue(model, before, examples),
    async *finishedSince(time) {
      const filter = { status: 'finished', deleted_at: null, ended_at: trusted({ $gte: new Date(time) }) } as const;
      for await (const document of model.find(filter, FIELDS).lean().cursor()) yield toTask(document);
    },
    async existing(institutionId, ids) {
      const found = await model.find({ institution_id: institutionId, _id: trusted({ $in: [...ids] }) }, { _id: 1 }).lean();
      return new Set(found.map(({ _id }) => _id));
    },
    async drop({ id, owner, version }) {
      const unpublished = { outbox: trusted({ $size: 0 }) };
      const { deletedCount } = await model.deleteOne({ _id: id, ...ownedBy(owner), version, ...unpublished });
      return deletedCount === 1;
    },
  };
}

async function insert({ model, toEvents, clock, due }: Writing, owner: Owner, change: Change): Promise<boolean> {
  const { task } = change;
  const isDue = isDueAt(task, clock.now());
  const fields = { ...fixedFields({ ...task, owner }), ...changingFields(task), ...(isDue && leased(clock)), ...optionalFields(task).set };
  try {
    await model.create({ _id: task.id, ...fields, version: task.version, outbox: toEvents(change) });
    if (isDue) due(task);
    return true;
  } catch (caught) {
    if (isDuplicateKey(caught)) return false;
    throw caught;
  }
}

async function save({ model, toEvents, clock, due }: Writing, before: Task, change: Change): Promise<boolean> {
  const isDue = isDueAt(change.task, clock.now());
  const { set, unset } = optionalFields(change.task);
  const { matchedCount } = await model.updateOne(
    { _id: before.id, ...ownedBy(before.owner), version: before.version },
    {
      $set: { ...changedFields(before, change.task), ...set, ...(isDue && leased(clock)) },
      $unset: unset,
      $inc: { version: 1 },
      $push: { outbox: { $each: [...toEvents(change)] } },
    },
  );
  if (matchedCount === 1 && isDue) due({ ...change.task, version: before.version + 1 });
  return matchedCount === 1;
}

function isDueAt({ agenda }: Task, now: number): boolean {
  return agenda.dueAt <= now;
}

/**
 * Delays the due date of a step that is due at once: the process that wrote it performs it, and others see it only if that process has not.
 */
function leased(clock: Clock): Pick<TaskDocument, 'due_at'> {
  return { due_at: new Date(clock.now() + OWN_STEP_MS) };
}

function dueIn({ after, upTo }: DueRange): QueryFilter<TaskDocument> {
  return { due_at: trusted({ ...(after !== '' && { $gt: new Date(after) }), $lte: new Date(upTo) }) };
}

function openOf(institutionId: string): QueryFilter<TaskDocument> {
  return { institution_id: institutionId, status: trusted({ $in: OPEN }), deleted_at: null };
}

function ownedBy({ institutionId, accountId }: Owner): Pick<TaskDocument, 'institution_id' | 'account_id'> {
  return { institution_id: institutionId, account_id: accountId };
}

/** Selects the tasks of a list. Tasks in error are hidden. */
function listed(owner: Owner, { ids }: ListQuery): QueryFilter<TaskDocument> {
  return {
    ...ownedBy(owner),
    deleted_at: null,
    status: trusted({ $ne: 'error' }),
    ...(ids !== undefined && { _id: trusted({ $in: [...ids] }) }),
  };
}

async function idsOf(model: Model<TaskDocument>, owner: Owner, limit: number): Promise<readonly string[]> {
  const found = await model
    .find({ ...ownedBy(owner), deleted_at: null }, { _id: 1 })
    .limit(limit)
    .lean();
  return found.map(({ _id }) => _id);
}

async function overdue(model: Model<TaskDocument>, before: number, examples: number): ReturnType<TaskStore['overdue']> {
  const filter = { due_at: trusted({ $lte: new Date(before) }) };
  const count = await model.countDocuments(filter);
  const some = count === 0 ? [] : await model.find(filter, { _id: 1 }).sort({ due_at: 1 }).limit(examples).lean();
  return { count, ids: some.map(({ _id }) => _id) };
}
