import { expect, it } from '@jest/globals';
import { escapeHtml } from './html.js';

it.each([
  ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
  [`a" onload='b'`, 'a&quot; onload=&#39;b&#39;'],
  ['&lt;', '&amp;lt;'],
])('%s is text in an element and in an attribute', (text, html) => {
  expect(escapeHtml(text)).toBe(html);
});
