import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';

interface Step {
  readonly run?: string;
  readonly uses?: string;
}

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, { readonly needs?: readonly string[]; readonly steps: readonly Step[] }>>;
}

const ROOT = new URL('../../../', import.meta.url);
const FOLDER = new URL('.github/workflows/', ROOT);
const read = (file: string): string => readFileSync(fileURLToPath(new URL(file, ROOT)), 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> };
const workflows = readdirSync(fileURLToPath(FOLDER)).map((file): [string, Workflow] => [
  file,
  parse(read(`.github/workflows/${file}`)) as Workflow,
]);

describe.each(workflows)('the workflow %s', (_file, { permissions, jobs }) => {
  const steps = Object.values(jobs).flatMap((job) => job.steps);

  it('runs commands that exist', () => {
    const named = steps.flatMap(({ run = '' }) => [...run.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name));
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
  });

  it('has only read permission unless a job extends it, and does not persist credentials', () => {
    expect(permissions).toEqual({ contents: 'read' });
    for (const step of steps.filter(({ uses }) => uses?.startsWith('actions/checkout@')))
      expect(step).toMatchObject({ with: { 'persist-credentials': false } });
  });

  // The name of a branch or tag is untrusted input: an expression would insert it into the script.
  it('puts no expression into a script', () => {
    for (const { run = '' } of steps) expect(run).not.toContain('${{');
  });

  it('depends only on jobs that exist', () => {
    for (const { needs = [] } of Object.values(jobs)) expect(Object.keys(jobs)).toEqual(expect.arrayContaining([...needs]));
  });
});
