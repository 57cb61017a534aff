import type { TypeStyle } from '../text/measure.js';

/** A4 and its margins, in points. */
export const PAGE = { width: 595.28, height: 841.89, left: 51, right: 51, top: 48, bottom: 62 } as const;

/** The text width. */
export const BODY_WIDTH = PAGE.width - PAGE.left - PAGE.right;

/** Colours with a single accent; their order of brightness is preserved in greyscale printing. */
export const COLOR = { ink: '#1a1f24', muted: '#5b6670', hair: '#c9d0d6', wash: '#f2f5f7', accent: '#17506b', paper: '#ffffff' } as const;

/** The style of a text. */
export interface TextStyle extends TypeStyle {
  readonly color: string;
  /** Distance between baselines. */
  readonly leading: number;
}

const style = (weight: TypeStyle['weight'], size: number, leading: number, color: string): TextStyle => ({ weight, size, leading, color });

/** All styles of a report. */
export const STYLE = {
  organization: style('bold', 9, 12, COLOR.accent),
  title: style('bold', 25, 30, COLOR.ink),
  day: style('regular', 12, 16, COLOR.muted),
  fact: style('regular', 10.5, 14, COLOR.ink),
  pill: style('bold', 8.5, 14, COLOR.accent),
  heading: style('bold', 11.5, 15, COLOR.accent),
  body: style('regular', 9.5, 13.2, COLOR.ink),
  strong: style('bold', 9.5, 13.2, COLOR.ink),
  caption: style('bold', 8.5, 11.5, COLOR.ink),
  note: style('regular', 8.5, 13.2, COLOR.muted),
  quiet: style('regular', 8.5, 11.5, COLOR.muted),
  label: style('bold', 7.5, 10, COLOR.muted),
  small: style('regular', 7.5, 10, COLOR.muted),
} as const satisfies Record<string, TextStyle>;

/** Line widths: thin lines between rows, stronger ones around them. */
export const LINE = { hair: 0.5, rule: 0.9, accent: 1.6 } as const;
