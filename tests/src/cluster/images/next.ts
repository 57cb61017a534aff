import { createHash } from 'node:crypto';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { runCommand, withProgress, type Log } from '@stechuhr/local-infra';
import type { ClusterProvider } from '../cluster/provider.js';
import { ROOT } from '../root.js';
import type { Images } from './current.js';

/** A change in the sources that simulates a later version. */
interface Edit {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/** Adds a gRPC field and an index that the current version does not have. */
export const NEXT: readonly Edit[] = [
  {
    file: 'protos/stechuhr/records/v1/records.proto',
    find: '  repeated AbsenceType absence_types = 5;\n',
    replace: '  repeated AbsenceType absence_types = 5;\n  string schema = 16;\n',
  },
  {
    file: 'services/records/src/grpc/to-proto.ts',
    find: 'return { ...institution, absenceTypes',
    replace: "return { ...institution, schema: 'next', absenceTypes",
  },
  {
    file: 'services/records/src/store/collections.ts',
    find: 'projects: [outbox, leaving, byId, byChange],',
    replace: 'projects: [outbox, leaving, byId, byChange, { key: { institution_id: 1, name: 1 } }],',
  },
];

/** The index that only the next version creates, and its collection. */
export const nextIndex = { collection: 'projects', name: 'institution_id_1_name_1' } as const;

/** Changes that make the preparation fail. */
export const BROKEN: readonly Edit[] = [
  {
    file: 'services/records/src/store/collections.ts',
    find: '  for (const [name, wanted] of Object.entries(indexes)) {\n',
    replace: '  throw new Error("This index cannot be built.");\n  for (const [name, wanted] of Object.entries(indexes)) {\n',
  },
];

const PLACE = join(ROOT, '.cache/cluster/next');
const GENERATED = 'libs/contracts/src/gen';

/** Builds images of the next version: the current images with compiled changed sources on top. */
export async function buildNextImages(cluster: ClusterProvider, images: Images, log: Log): Promise<Images> {
  return overlaid(cluster, images, { edits: NEXT, log });
}

/** Builds an image of records whose preparation fails. */
export async function buildBrokenImage(cluster: ClusterProvider, { records = '' }: Images, log: Log): Promise<Images> {
  return overlaid(cluster, { records }, { edits: BROKEN, log });
}

/** Returns the changed files with their new content. @throws Error if the text to replace no longer exists */
export function edited(edits: readonly Edit[]): ReadonlyMap<string, string> {
  const files = new Map(edits.map(({ file }) => [file, readFileSync(join(ROOT, file), 'utf8')]));
  for (const { file, find, replace } of edits) {
    const before = files.get(file) ?? '';
    if (!before.includes(find)) throw new Error(`${file} no longer says "${find}": change images/next.ts`);
    files.set(file, before.replace(find, replace));
  }
  return files;
}

async function overlaid(
  cluster: ClusterProvider,
  images: Images,
  { edits, log }: { readonly edits: readonly Edit[]; readonly log: Log },
): Promise<Images> {
  rmSync(PLACE, { recursive: true, force: true });
  const files = edited(edits);
  const sources = join(PLACE, 'sources');
  for (const [file, text] of files) write(join(sources, file), text);
  const compiled = new Map([...files].filter(([file]) => file.endsWith('.ts')));
  for (const [file, text] of await generated(sources, files)) compiled.set(file, text);

  const overlay = join(PLACE, 'overlay');
  // Types are replaced by blanks, so that line numbers stay the same.
  for (const [file, text] of compiled) {
    write(join(overlay, file.replace('/src/', '/dist/').replace(/ts$/, 'js')), stripTypeScriptTypes(text));
  }
  const digest = createHash('sha256').update(JSON.stringify(edits)).digest('hex').slice(0, 6);
  const next: Record<string, string> = {};
  for (const [program, image] of Object.entries(images)) {
    next[program] = `${image}-${digest}`;
    if (await cluster.has(next[program])) continue;
    await withProgress(log, `changed image of ${program}`, () => build(cluster, image, `${image}-${digest}`));
  }
  return next;
}

/** Returns the generated files that change with the protos. */
async function generated(sources: string, files: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, string>> {
  if (![...files.keys()].some((file) => file.endsWith('.proto'))) return new Map();
  cpSync(join(ROOT, 'protos'), join(sources, 'protos'), { recursive: true, filter: (from) => !files.has(from.slice(ROOT.length + 1)) });
  const tools = join(ROOT, 'node_modules/.bin');
  const env = { ...process.env, PATH: [tools, dirname(process.execPath), process.env['PATH']].join(delimiter) };
  await runCommand(join(tools, 'buf'), ['generate'], { cwd: join(sources, 'protos'), env });
  const made = globSync(`${GENERATED}/**/*.ts`, { cwd: sources });
  const texts = made.map((file) => [file, readFileSync(join(sources, file), 'utf8')] as const);
  return new Map(texts.filter(([file, text]) => text !== readFileSync(join(ROOT, file), 'utf8')));
}

async function build(cluster: ClusterProvider, base: string, name: string): Promise<void> {
  const dockerfile = join(PLACE, 'Dockerfile');
  writeFileSync(dockerfile, 'ARG BASE\nFROM ${BASE}\nCOPY . /app/\n');
  await cluster.build({ name, dockerfile, context: join(PLACE, 'overlay'), args: { BASE: base } });
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
