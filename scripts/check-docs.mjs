// Checks that the targets of links in documents exist, that documents and decisions cited in sources exist, that the table of folders in
// CONTRIBUTING.md names every workspace, and that docs/limits.md states the same limits as the sources.
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import GithubSlugger from 'github-slugger';
import { marked } from 'marked';

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { encoding: 'utf8' })
  .split('\0')
  .filter((file) => file !== '' && existsSync(file));
const documents = tracked.filter((file) => file.endsWith('.md'));
const problems = [];

/** Returns the text of a heading without Markdown, from which GitHub derives the anchor. */
function plainText(tokens) {
  return tokens.map((token) => (token.tokens === undefined ? token.text : plainText(token.tokens))).join('');
}

/** Returns the links of a document, and the anchors of its headings. */
function readDocument(file) {
  const links = [];
  const anchors = new Set();
  const slugger = new GithubSlugger();
  marked.walkTokens(marked.lexer(readFileSync(file, 'utf8')), (token) => {
    if (token.type === 'heading') anchors.add(slugger.slug(plainText(token.tokens)));
    if (token.type === 'link' || token.type === 'image') links.push(token.href);
  });
  return { links, anchors };
}

const read = new Map(documents.map((file) => [file, readDocument(file)]));

function checkTarget(from, target, folders) {
  const [name, anchor] = target.split('#');
  const found = name === '' ? from : folders.map((folder) => path.join(folder, decodeURI(name))).find((file) => existsSync(file));
  if (found === undefined) problems.push(`${from}: ${target} does not exist`);
  else if (anchor !== undefined && read.get(found)?.anchors.has(anchor) !== true) problems.push(`${from}: ${target} has no such heading`);
}

let checked = 0;
for (const [file, { links }] of read)
  for (const link of links.filter((href) => !/^[a-z]+:/i.test(href))) {
    checkTarget(file, link, [path.dirname(file)]);
    checked += 1;
  }

// Sources and configuration files cite a document by its path from the root, or relative to the citing file.
const SOURCES = /\.(ts|js|mjs|java|html|proto|yaml|yml|json|tpl|txt)$|(^|\/)Dockerfile$/;
const CITATION = /(?<![\w/.-])(?:\.\.?\/)*(?:[\w-]+\/)*[\w-]+\.md(?:#[\w-]+)?(?![\w-])/g;
for (const file of tracked.filter((name) => SOURCES.test(name) && name !== 'package-lock.json'))
  for (const [citation] of readFileSync(file, 'utf8').matchAll(CITATION)) {
    checkTarget(file, citation, ['.', path.dirname(file)]);
    checked += 1;
  }

const decisions = new Set(globSync('docs/adr/[0-9]*.md').map((file) => Number(path.basename(file).slice(0, 4))));
for (const file of tracked.filter((name) => SOURCES.test(name) || name.endsWith('.md')))
  for (const [cited, number] of readFileSync(file, 'utf8').matchAll(/\bADR 0*(\d+)\b/g))
    if (!decisions.has(Number(number))) problems.push(`${file}: there is no ${cited}`);

const map =
  readFileSync('CONTRIBUTING.md', 'utf8')
    .split(/^## /m)
    .find((section) => section.startsWith('Where things live')) ?? '';
const { workspaces } = JSON.parse(readFileSync('package.json', 'utf8'));
for (const folder of workspaces.flatMap((pattern) => globSync(`${pattern}/package.json`)).map((file) => path.dirname(file)))
  if (!map.includes(`\`${folder}\``) && !map.includes(`(${folder})`)) problems.push(`CONTRIBUTING.md: the map does not name ${folder}`);

// Each row of docs/limits.md links to constants in the sources; one of its cells has to state their values.
const LIMITS = 'docs/limits.md';
for (const row of readFileSync(LIMITS, 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && line.includes('](')))
  for (const [, names, file] of row.matchAll(/\[((?:`\w+`(?:, )?)+)\]\(([^)]+)\)/g))
    for (const [, name] of names.matchAll(/`(\w+)`/g)) {
      const source = readFileSync(path.join('docs', file), 'utf8');
      const written = new RegExp(`\\b${name}(?: =|:) ([\\d_ *]+?) ?[;,}]`).exec(source)?.[1];
      const value = written?.split('*').reduce((product, factor) => product * Number(factor.trim().replaceAll('_', '')), 1);
      const shown = value?.toLocaleString('en');
      if (value === undefined) problems.push(`${LIMITS}: ${file} has no number ${name}`);
      else if (
        !row.split('|').some((cell) =>
          cell
            .trim()
            .split(', ')
            .some((number) => number === shown || number === String(value)),
        )
      )
        problems.push(`${LIMITS}: ${name} is ${shown}`);
    }

for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log(`documents: ${documents.length} documents, ${checked} links and citations lead somewhere`);
