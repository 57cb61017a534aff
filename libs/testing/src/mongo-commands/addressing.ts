/** A document inside a command. */
type Document = Readonly<Record<string, unknown>>;

/** How a command selects documents of a collection. */
export interface Addressing {
  readonly collection: string;
  readonly command: string;
  /** The fields and operators of its filter, without values; commands with the same shape access documents in the same way. */
  readonly shape: string;
  /** Whether it specifies the institution, so that a sharded database only queries the shards of that institution. */
  readonly isScoped: boolean;
}

const OWNER = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:\/|$)/;
/**
 * Collections that are sharded by `_id`, which is, or begins with, the institution's id. In other collections, a query by id alone is sent
 * to all shards.
 */
const SHARDED_BY_ID = new Set(['institutions', 'review_settings', 'weather_claims', 'deletion_markers']);

/** Returns how a command accesses documents; empty for commands without documents, such as `ping` and `createIndexes`. */
export function addressingsOf(command: Document): readonly Addressing[] {
  const [name = ''] = Object.keys(command);
  const collection = String(command[name]);
  const of = (filter: unknown) => addressing(name, collection, isDocument(filter) ? filter : {});
  switch (name) {
    case 'find':
      return [of(command.filter)];
    case 'count':
    case 'distinct':
    case 'findAndModify':
      return [of(command.query)];
    case 'aggregate':
      return [of(firstMatch(command.pipeline))];
    case 'update':
    case 'delete':
      return listOf(command[`${name}s`]).map(({ q }) => of(q));
    case 'insert':
      return listOf(command.documents).map(({ _id, institution_id }) =>
        of({ _id, ...(institution_id !== undefined && { institution_id }) }),
      );
    default:
      return [];
  }
}

function addressing(command: string, collection: string, filter: Document): Addressing {
  return { command, collection, shape: shapeOf(filter), isScoped: namesInstitution(collection, filter) };
}

function namesInstitution(collection: string, filter: Document): boolean {
  const parts = [filter, ...listOf(filter.$and)];
  return parts.some(({ institution_id, _id }) => isOwner(institution_id) || (SHARDED_BY_ID.has(collection) && isOwnedId(_id)));
}

function isOwner(condition: unknown): boolean {
  return valuesOf(condition)?.every((value) => typeof value === 'string' && value !== '') ?? false;
}

function isOwnedId(condition: unknown): boolean {
  return valuesOf(condition)?.every((value) => typeof value === 'string' && OWNER.test(value)) ?? false;
}

/** Returns the values that a condition matches; undefined if it does not list them. An empty list matches nothing. */
function valuesOf(condition: unknown): readonly unknown[] | undefined {
  if (!isDocument(condition)) return condition === undefined || condition === null ? undefined : [condition];
  if (Array.isArray(condition.$in)) return condition.$in;
  return '$eq' in condition ? [condition.$eq] : undefined;
}

function firstMatch(pipeline: unknown): unknown {
  return listOf(pipeline)[0]?.$match;
}

function shapeOf(filter: Document): string {
  const fields = Object.entries(filter).map(([name, condition]) => {
    if (Array.isArray(condition)) return `${name}: [${[...new Set(condition.filter(isDocument).map(shapeOf))].join(', ')}]`;
    return isDocument(condition) ? `${name}: ${shapeOf(condition)}` : name;
  });
  return `{ ${fields.sort().join(', ')} }`;
}

function listOf(value: unknown): readonly Document[] {
  return Array.isArray(value) ? value.filter(isDocument) : [];
}

function isDocument(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
