import { describe, expect, it } from '@jest/globals';
import { markdown } from './html.js';

describe('markdown', () => {
  it.each([
    ['One `a<b` and **two**.', '<p>One <code>a&lt;b</code> and <strong>two</strong>.</p>'],
    ['First.\n\nSecond.', '<p>First.</p>\n<p>Second.</p>'],
    ['- a-b\n- **c**: d', '<ul><li>a-b</li><li><strong>c</strong>: d</li></ul>'],
    ['<script>', '<p>&lt;script&gt;</p>'],
  ])('makes of %j %j', (text, html) => {
    expect(markdown(text)).toBe(html);
  });
});
