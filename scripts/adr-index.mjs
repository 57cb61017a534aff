// Writes docs/adr/README.md from the headings of the decisions; with --check it only checks whether the file is up to date.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';

const FILE = 'docs/adr/README.md';
const HEADING = /^# ADR (\d{4}): (.+)\n\n(\d{4}-\d{2}-\d{2}) · (.+)\n/;

/** Returns the table row of a decision. */
function row(file) {
  const name = path.basename(file);
  const [, number, title, date, status] = HEADING.exec(readFileSync(file, 'utf8')) ?? [];
  if (number === undefined || !name.startsWith(number)) {
    throw new Error(`${file} does not begin with "# ADR ${name.slice(0, 4)}: <title>", a blank line and "<date> · <status>"`);
  }
  return `| ${Number(number)} | [${title}](${name}) | ${date} | ${status} |`;
}

const text = `# Architecture decisions

Generated from the files of this folder by \`npm run docs\`; do not edit.

Each says what was decided, why, and what was rejected. A decision that no longer holds stays, with the number of the one that replaced it as
its status. Numbers that are missing were never used.

| ADR | decision | date | status |
|---|---|---|---|
${globSync('docs/adr/[0-9]*.md').toSorted().map(row).join('\n')}
`;

const formatted = await format(text, { ...(await resolveConfig(FILE)), parser: 'markdown' });
if (!process.argv.includes('--check')) writeFileSync(FILE, formatted);
else if (readFileSync(FILE, 'utf8') !== formatted) {
  console.error(`${FILE} does not match the decisions: npm run docs`);
  process.exitCode = 1;
}
