import { createHash } from 'node:crypto';

/** The bar at the top of all pages: the name of the API and links to its other pages. */
export const BAR_STYLE = `
.bar { display: flex; flex-wrap: wrap; gap: 0 1.5rem; padding: 0.5rem 1.25rem; background: #173647; font: 0.9375rem/1.75 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
.bar a { color: #fff; text-decoration: none; }
.bar a:first-child { font-weight: 700; }
.bar a:hover { text-decoration: underline; }
.bar a:focus-visible { outline-color: #fff; }
@media print { .bar { display: none; } }
`;

/** `STYLE` and `SCRIPT` are inlined in the pages, which load nothing else. */
export const STYLE = `${BAR_STYLE}
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --line: #d0d7de; --back: #ffffff; --card: #f6f8fa; --link: #0550ae; --mark: #fff3c4; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6edf3; --soft: #a5b0bb; --line: #3d444d; --back: #0d1117; --card: #161b22; --link: #79b8ff; --mark: #4d3d00; }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 5rem; }
body { margin: 0; background: var(--back); color: var(--ink); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
header, main, footer { max-width: 64rem; margin: 0 auto; padding: 0 1rem; }
h1 { margin: 1.5rem 0 0.5rem; font-size: 1.75rem; line-height: 1.2; }
h2 { margin: 2rem 0 0.5rem; font-size: 1.25rem; }
h3 { margin: 0; font-size: 1rem; overflow-wrap: anywhere; }
p { margin: 0.25rem 0; }
a { color: var(--link); }
a:focus-visible, input:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
code { font: 0.875rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; margin: 0.5rem 0; padding: 0; list-style: none; }
nav a { display: inline-block; padding: 0.375rem 0; }
nav a[aria-current] { color: inherit; font-weight: 600; text-decoration: none; border-bottom: 2px solid var(--link); }
.skip { position: absolute; left: -100vw; }
.skip:focus { position: static; display: inline-block; padding: 0.5rem 1rem; }
.search { position: sticky; top: 0; z-index: 1; padding: 0.75rem 0; background: var(--back); border-bottom: 1px solid var(--line); }
.search label { display: block; font-weight: 600; }
.search input { width: 100%; padding: 0.5rem 0.75rem; font: inherit; color: inherit; background: var(--card); border: 1px solid var(--soft); border-radius: 0.375rem; }
.search p { color: var(--soft); font-size: 0.875rem; }
article { margin: 0.75rem 0; padding: 0.75rem 1rem; background: var(--card); border: 1px solid var(--line); border-radius: 0.5rem; }
article:target { background: var(--mark); }
article h3 code { font-size: 1rem; font-weight: 600; }
article h3 a { color: inherit; text-decoration: none; }
article h3 a:hover { text-decoration: underline; }
.title { font-weight: 600; }
.filled { font-size: 0.875rem; }
.example { margin-top: 0.5rem; font-size: 0.875rem; color: var(--soft); }
.example code { display: block; color: var(--ink); user-select: all; }
footer { margin-top: 2rem; padding-bottom: 2rem; color: var(--soft); font-size: 0.875rem; }
@media (min-width: 48rem) {
  article { display: grid; grid-template-columns: 16rem 1fr; column-gap: 1.5rem; }
}
@media print {
  .search, nav, .skip { display: none; }
  article { break-inside: avoid; background: none; }
  body { font-size: 10pt; }
}
`;

export const SCRIPT = `
const box = document.querySelector('.search');
const input = box.querySelector('input');
const count = box.querySelector('p');
const entries = [...document.querySelectorAll('article')].map((element) => ({ element, text: element.textContent.toLocaleLowerCase('de') }));
const search = () => {
  const words = input.value.toLocaleLowerCase('de').split(/\\s+/).filter(Boolean);
  let shown = 0;
  for (const { element, text } of entries) {
    element.hidden = !words.every((word) => text.includes(word));
    if (!element.hidden) shown += 1;
  }
  for (const group of document.querySelectorAll('section')) group.hidden = !group.querySelector('article:not([hidden])');
  count.textContent = [shown, box.dataset.of, entries.length, box.dataset.entries].join(' ');
};
box.hidden = false;
input.addEventListener('input', search);
input.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return;
  input.value = '';
  search();
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || document.activeElement === input) return;
  event.preventDefault();
  input.focus();
});
search();
`;

/** Returns a content security policy that allows only the inlined style and script. */
export function securityPolicy(...styles: readonly string[]): string {
  return [
    "default-src 'none'",
    `style-src ${styles.map(digestOf).join(' ')}`,
    `script-src ${digestOf(SCRIPT)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join(';');
}

function digestOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
