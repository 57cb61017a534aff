import type { ImageLimits, ImageLoader } from './images/image-loader.js';
import { createImageLoader } from './images/image-loader.js';
import { inOrder } from './images/in-order.js';
import { createPatience, type Patience } from './images/patience.js';
import type { Mark } from './layout/drawing.js';
import { layoutReport } from './layout/layout-report.js';
import { reportTitle } from './layout/letterhead.js';
import { createTypesetter } from './layout/paper.js';
import { createDocument, type Document } from './paint/document.js';
import { Fonts } from './paint/fonts.js';
import { Painter, type PictureMark } from './paint/painter.js';
import { Structure } from './paint/structure.js';
import type { Report } from './report.js';
import { createMeasure } from './text/measure.js';
import { textsOf } from './text/texts-of.js';
import { typefaceFor } from './text/typeface.js';

/** Renders reports; what its limits bound, they bound over all reports that are being rendered. */
export interface ReportRenderer {
  /**
   * The bytes of the PDF in chunks of at most 64 KiB. Work is done when a chunk is requested: a slow reader costs the memory of a few
   * photos, and leaving the loop ends everything. Photos that cannot be shown become placeholders.
   *
   * @throws the reason of the signal when it aborts
   */
  render(report: Report, signal?: AbortSignal): AsyncIterable<Uint8Array>;
}

const DEFAULT_LIMITS: ImageLimits = {
  parallelFetches: 6,
  parallelDecodes: 2,
  maxBytes: 8 * 1024 * 1024,
  timeoutMs: 10_000,
  reportTimeoutMs: 60_000,
};
/** Pictures of one report that are prepared before it is their turn. */
const AHEAD = 3;
const CHUNK_BYTES = 64 * 1024;

/** A renderer; a process needs one. */
export function createReportRenderer(limits: Partial<ImageLimits> = {}): ReportRenderer {
  const all = { ...DEFAULT_LIMITS, ...limits };
  const images = createImageLoader(all);
  return { render: (report, signal) => render(report, { images, patience: createPatience(all.reportTimeoutMs) }, signal) };
}

/** Where the pictures of one report come from. */
interface Pictures {
  readonly images: ImageLoader;
  readonly patience: Patience;
}

async function* render(report: Report, pictures: Pictures, signal?: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  const left = new AbortController();
  const ended = signal === undefined ? left.signal : AbortSignal.any([signal, left.signal]);
  try {
    yield* paint(report, pictures, ended);
  } finally {
    left.abort(new Error('The report is no longer being read.'));
  }
}

async function* paint(report: Report, { images, patience }: Pictures, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  const typeface = typefaceFor(textsOf(report));
  const document = createDocument({
    title: reportTitle(report),
    author: report.organization,
    subject: report.project.name,
    createdAt: report.renderedAt,
  });
  const fonts = new Fonts(document, typeface);
  const pages = layoutReport(report, createTypesetter(createMeasure(typeface, fonts.width)));
  const inTime = AbortSignal.any([signal, patience.signal]);
  const pictures = inOrder(pages.flat().filter(isPicture), AHEAD, (mark) =>
    mark.kind === 'photo' ? images.photo(mark.photo, inTime) : images.signature(mark.image, signal),
  );
  const structure = new Structure(document);
  const painter = new Painter(document, fonts, typeface);
  for (const page of pages) {
    signal.throwIfAborted();
    document.addPage();
    for (const mark of page) {
      if (!isPicture(mark)) {
        structure.enter(mark.tag);
        painter.draw(mark);
        continue;
      }
      const next = await patience.wait(pictures.next());
      structure.enter(mark.tag);
      painter.picture(mark, next.value ?? { problem: 'missing' });
      yield* drain(document);
    }
    structure.leave();
  }
  document.end();
  yield* drain(document);
}

function isPicture(mark: Mark): mark is PictureMark {
  return mark.kind === 'photo' || mark.kind === 'signature';
}

/** What the document has written so far; it writes at once, so that nothing has to be waited for. */
function* drain(document: Document): Generator<Uint8Array, void, undefined> {
  for (let bytes = read(document); bytes !== null; bytes = read(document)) {
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
  }
}

function read(document: Document): Uint8Array | null {
  return document.read() as Uint8Array | null;
}
