/** Text inside an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** As much of Markdown as descriptions use: paragraphs, lists, `code` and **strong**. */
export function markdown(text: string): string {
  return text
    .split('\n\n')
    .map((block) => (block.startsWith('- ') ? list(block) : `<p>${inline(block)}</p>`))
    .join('\n');
}

/** Without paragraphs around it. */
export function inline(text: string): string {
  return escapeHtml(text)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>');
}

function list(block: string): string {
  return `<ul>${block
    .split(/\n?^- /m)
    .filter(Boolean)
    .map((item) => `<li>${inline(item)}</li>`)
    .join('')}</ul>`;
}
