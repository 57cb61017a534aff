import { PROBLEMS, type Problem } from '../images/image-problem.js';
import type { BoxMark, LineMark, Mark, PictureMark, TextMark } from '../layout/drawing.js';
import { COLOR, LINE, STYLE } from '../layout/theme.js';
import { runsOf, type Run } from '../text/typeface.js';
import type { Shown } from './album.js';
import type { Document } from './document.js';
import type { Fonts } from './fonts.js';
import { drawIcon } from './icons.js';

/** Draws a line of text at its position; the given width prevents pdfkit from measuring it again. */
const ONE_LINE = { lineBreak: false, baseline: 'alphabetic', textWidth: 0 } as const;
/** Radius of the frame of a placeholder. */
const FRAME_RADIUS = 2;

/** Draws marks on the current page of a document. */
export class Painter {
  constructor(
    private readonly document: Document,
    private readonly fonts: Fonts,
  ) {}

  draw(mark: Exclude<Mark, PictureMark>): void {
    switch (mark.kind) {
      case 'text':
        this.#text(mark);
        return;
      case 'line':
        this.#line(mark);
        return;
      case 'box':
        this.#box(mark);
        return;
      case 'icon':
        drawIcon(this.document, mark);
    }
  }

  picture(mark: PictureMark, image: Shown): void {
    if ('problem' in image) {
      this.#placeholder(mark, image.problem);
      return;
    }
    const { x, y, width, height } = mark;
    if (mark.kind === 'photo') this.#box({ x, y, width, height, radius: 0, fill: COLOR.wash });
    const { largest = mark } = image;
    const fit: [number, number] = [Math.min(width, largest.width), Math.min(height, largest.height)];
    // Photos are centred in their frame; signatures stand on their line.
    const top = mark.kind === 'photo' ? y : y + height - fit[1];
    this.document.image(image.drawable(), x + (width - fit[0]) / 2, top, {
      fit,
      align: 'center',
      valign: mark.kind === 'photo' ? 'center' : 'bottom',
    });
  }

  #text({ text, x, y, style, align }: TextMark): void {
    const runs = runsOf(text, style.weight);
    let left = align === undefined ? x : x - this.#width(runs, style.size) * (align === 'right' ? 1 : 0.5);
    this.document.fillColor(style.color);
    for (const run of runs) {
      this.fonts.use(run.font).fontSize(style.size).text(run.text, left, y, ONE_LINE);
      if (runs.length > 1) left += this.#width([run], style.size);
    }
  }

  #width(runs: readonly Run[], size: number): number {
    return runs.reduce((sum, run) => sum + this.fonts.width(run), 0) * size;
  }

  #line({ x, y, width, weight, color }: LineMark): void {
    this.document
      .lineWidth(weight)
      .moveTo(x, y)
      .lineTo(x + width, y)
      .stroke(color);
  }

  #box({ x, y, width, height, radius, fill, stroke }: Omit<BoxMark, 'kind'>): void {
    const path = radius > 0 ? this.document.roundedRect(x, y, width, height, radius) : this.document.rect(x, y, width, height);
    path.lineWidth(LINE.rule);
    if (fill !== undefined && stroke !== undefined) path.fillAndStroke(fill, stroke);
    else if (fill !== undefined) path.fill(fill);
    else path.stroke(stroke ?? COLOR.hair);
  }

  /** Draws a frame with the reason why a picture is missing. */
  #placeholder({ kind, x, y, width, height }: PictureMark, problem: Problem): void {
    const words = kind === 'photo' ? PROBLEMS[problem] : 'Unterschrift nicht darstellbar';
    this.#box({ x, y, width, height, radius: FRAME_RADIUS, fill: COLOR.wash, stroke: COLOR.hair });
    this.#text({
      kind: 'text',
      text: words,
      x: x + width / 2,
      y: y + height / 2 + STYLE.quiet.size / 3,
      style: STYLE.quiet,
      align: 'center',
    });
  }
}
