import {
  exporterNames,
  referencePage,
  referencePageNames,
  type ExporterName,
  type FilledBy,
  type ReferenceGroup,
  type ReferenceItem,
  type ReferencePageName,
} from '@stechuhr/exporting';
import type { EpochDay } from '@stechuhr/worktime';
import { SCRIPT, STYLE } from './assets.js';
import { escapeHtml } from './html.js';

/** The values that the examples of a page contain. */
interface Place {
  readonly exportPath: string;
  readonly today: EpochDay;
}

/** Returns the page as HTML. Links are relative to its address, `…/exports/{exporter}/{name}/`. */
export function renderReferencePage(exporter: ExporterName, name: ReferencePageName, { exportPath, today }: Place): string {
  const { title, notes, groups } = referencePage(exporter, name, today);
  const heading = escapeHtml(`${title} von ${exporter}`);
  return `<!doctype html>
<html lang="de">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${heading} – Stechuhr</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<a class="skip" href="#inhalt">Zum Inhalt</a>
<div class="bar"><a href="../../../docs/">Stechuhr API</a><a href="../../../docs/#/Exports">Exporte</a></div>
<header>
<h1>${heading}</h1>
${navigation(
  'Exporter',
  exporterNames.map((other) => link(`../../${other}/${name}/`, other, other === exporter)),
)}
${navigation(
  'Seiten',
  referencePageNames.map((other) => link(`../${other}/`, referencePage(exporter, other, today).title, other === name)),
)}
${notes.map((note) => `<p>${escapeHtml(note)}</p>`).join('\n')}
</header>
<main id="inhalt" tabindex="-1">
<div class="search" role="search" data-of="von" data-entries="Einträgen" hidden>
<label for="suche">Suchen</label>
<input id="suche" type="search" autocomplete="off" spellcheck="false">
<p role="status"></p>
</div>
${groups.map((group) => groupHtml(group, exportPath)).join('\n')}
</main>
<footer>Die Taste / führt zur Suche, Escape leert sie. Die Beispiele nennen Werte, wie sie in einer Anfrage stehen: prozentkodiert.</footer>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

function navigation(label: string, links: readonly string[]): string {
  return `<nav aria-label="${label}"><ul>${links.join('')}</ul></nav>`;
}

function link(href: string, text: string, isCurrent: boolean): string {
  return `<li><a href="${href}"${isCurrent ? ' aria-current="page"' : ''}>${escapeHtml(text)}</a></li>`;
}

function groupHtml({ title, entries }: ReferenceGroup, exportPath: string): string {
  return `<section>\n<h2>${escapeHtml(title)}</h2>\n${entries.map((entry) => entryHtml(entry, exportPath)).join('\n')}\n</section>`;
}

function entryHtml({ id, title, description, filledBy, query }: ReferenceItem, exportPath: string): string {
  const anchor = escapeHtml(encodeURIComponent(id));
  return `<article id="${escapeHtml(id)}">
<h3><a href="#${anchor}"><code>${escapeHtml(id)}</code></a></h3>
<div>
<p class="title">${escapeHtml(title)}</p>
<p>${escapeHtml(description)}</p>
${filledByHtml(filledBy)}<p class="example">Beispiel <code>${escapeHtml(`${exportPath}?${query}`)}</code></p>
</div>
</article>`;
}

/**
 * Returns which row types fill a column. Empty for entries that are not columns, and for columns that are always empty, as their
 * descriptions explain.
 */
function filledByHtml(filledBy: FilledBy | undefined): string {
  if (filledBy === undefined || filledBy.length === 0) return '';
  const types = filledBy === 'all' ? 'allen Typen' : filledBy.map(typeLink).join(', ');
  return `<p class="filled">Gefüllt bei ${types}</p>\n`;
}

function typeLink(id: string): string {
  return `<a href="../types/#${escapeHtml(encodeURIComponent(id))}"><code>${escapeHtml(id)}</code></a>`;
}
