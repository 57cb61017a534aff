/** The additional styles of the page of the API. */
export const DOCS_STYLE = `
article.operation, article.schema, article.error { display: block; }
h4 { margin: 1rem 0 0.25rem; font-size: 0.9375rem; }
.method { display: inline-block; min-width: 3.75rem; font: 600 0.8125rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
dl { display: grid; gap: 0.25rem 1rem; margin: 0.25rem 0; font-size: 0.9375rem; }
dt { overflow-wrap: anywhere; }
dd { margin: 0 0 0.5rem; overflow-wrap: anywhere; }
dt span, dd > span, h4 span { color: var(--soft); font-size: 0.8125rem; font-weight: 400; }
pre { margin: 0.5rem 0; padding: 0.5rem 0.75rem; max-height: 22rem; overflow: auto; background: var(--back); border: 1px solid var(--line); border-radius: 0.375rem; }
pre code { white-space: pre-wrap; }
pre:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.errors { margin-top: 0.75rem; font-size: 0.875rem; color: var(--soft); }
.intro ul { padding-left: 1.25rem; }
.intro li { margin: 0.25rem 0; }
@media (min-width: 48rem) {
  dl { grid-template-columns: 14rem 1fr; }
}
@media print {
  article.operation { break-inside: auto; }
  pre { max-height: none; }
}
`;
