import type { ImageLimits } from './images/image-loader.js';
import { createImageLoader } from './images/image-loader.js';
import { inOrder } from './images/in-order.js';
import { createTimeBudget, type TimeBudget } from './images/time-budget.js';
import { isPicture, type Page, type PictureMark } from './layout/drawing.js';
import { layoutReport } from './layout/layout-report.js';
import { reportTitle } from './layout/letterhead.js';
import { createTypesetter } from './layout/paper.js';
import { Album } from './paint/album.js';
import { createDocument, type Document } from './paint/document.js';
import { Fonts } from './paint/fonts.js';
import { Painter } from './paint/painter.js';
import { Structure } from './paint/structure.js';
import { createPause, type Pause } from './pause.js';
import type { Report } from './report.js';
import { createMeasure } from './text/measure.js';

/** Renders reports; its limits apply to all reports that are being rendered together. */
export interface ReportRenderer {
  /**
   * Renders a report and yields the PDF in chunks of at most 64 KiB. Work is done when a chunk is requested: a slow reader only occupies
   * the memory of a few photos, and leaving the loop ends everything. Photos that cannot be shown become placeholders.
   *
   * @throws the reason of the signal when it aborts
   */
  render(report: Report, signal?: AbortSignal): AsyncIterable<Uint8Array>;
  /**
   * Renders several reports to one PDF, like {@link render}, each with its own page numbers and an entry in the outline. The next report is
   * requested when the previous one has been written. There must be at least one.
   */
  renderAll(reports: AsyncIterable<Report>, about: BundleInfo, signal?: AbortSignal): AsyncIterable<Uint8Array>;
}

/** The metadata of a file with several reports that PDF readers show. */
export interface BundleInfo {
  readonly title: string;
  /** The name of the institution. */
  readonly organization: string;
  /** Local time without designator. */
  readonly renderedAt: string;
}

/** Maximum number of photos and previews in one file; a larger bundle can be a ZIP with a file for each report. */
const MAX_PHOTOS = 5_000;
const DEFAULT_LIMITS: ImageLimits = {
  parallelFetches: 6,
  parallelDecodes: 2,
  maxBytes: 8 * 1024 * 1024,
  timeoutMs: 10_000,
  reportTimeoutMs: 60_000,
  photosPerFile: MAX_PHOTOS,
};
/** Number of pictures of a report that are prepared in advance. */
const AHEAD = 3;
const CHUNK_BYTES = 64 * 1024;

/** Creates a renderer; a process needs only one. */
export function createReportRenderer(limits: Partial<ImageLimits> = {}): ReportRenderer {
  const all = { ...DEFAULT_LIMITS, ...limits };
  const images = createImageLoader(all);
  const studio: Studio = {
    albumOf: (document) => new Album(document, images, all.photosPerFile),
    budget: () => createTimeBudget(all.reportTimeoutMs),
    pause: createPause(),
  };
  return {
    render: (report, signal) => untilLeft((ended) => paintOne(report, studio, ended), signal),
    renderAll: (reports, about, signal) => untilLeft((ended) => paintAll({ reports, about, studio }, ended), signal),
  };
}

/** The resources that all files of a renderer share. */
interface Studio {
  /** Creates the pictures of a file. */
  albumOf(document: Document): Album;
  /** Creates the waiting time of a report. */
  budget(): TimeBudget;
  readonly pause: Pause;
}

type Chunks = AsyncGenerator<Uint8Array, void, undefined>;

/** Aborts background work when the output is no longer read. */
async function* untilLeft(painting: (ended: AbortSignal) => Chunks, signal?: AbortSignal): Chunks {
  const left = new AbortController();
  const ended = signal === undefined ? left.signal : AbortSignal.any([signal, left.signal]);
  try {
    yield* painting(ended);
  } finally {
    left.abort(new Error('The report is no longer being read.'));
  }
}

async function* paintOne(report: Report, studio: Studio, signal: AbortSignal): Chunks {
  const { organization, project, renderedAt } = report;
  const document = createDocument({ title: reportTitle(report), author: organization, subject: project.name, createdAt: renderedAt });
  const canvas = {
    document,
    fonts: new Fonts(document),
    album: studio.albumOf(document),
    budget: studio.budget(),
    pause: studio.pause,
  };
  yield* paint(canvas, report, signal);
  document.end();
  yield* drain(document);
}

interface Bundle {
  readonly reports: AsyncIterable<Report>;
  readonly about: BundleInfo;
  readonly studio: Studio;
}

async function* paintAll({ reports, about, studio }: Bundle, signal: AbortSignal): Chunks {
  const { title, organization, renderedAt } = about;
  const document = createDocument({ title, author: organization, subject: title, createdAt: renderedAt });
  const shared = { document, fonts: new Fonts(document), album: studio.albumOf(document), pause: studio.pause, inOutline: true };
  for await (const report of reports) yield* paint({ ...shared, budget: studio.budget() }, report, signal);
  document.end();
  yield* drain(document);
}

/** The resources with which a report is painted. */
interface Canvas {
  readonly document: Document;
  readonly fonts: Fonts;
  readonly album: Album;
  readonly budget: TimeBudget;
  readonly pause: Pause;
  readonly inOutline?: boolean;
}

async function* paint({ document, fonts, album, budget, pause, inOutline }: Canvas, report: Report, signal: AbortSignal): Chunks {
  const turn: Pause = () => {
    signal.throwIfAborted();
    return pause();
  };
  const pages = await layoutReport(report, createTypesetter(createMeasure(fonts.width)), turn);
  const inTime = AbortSignal.any([signal, budget.signal]);
  const pictures = inOrder(picturesOf(pages), AHEAD, (mark) =>
    mark.kind === 'photo' ? album.photo(mark.photo, inTime) : album.signature(mark.image, signal),
  );
  const structure = new Structure(document);
  const painter = new Painter(document, fonts);
  for (const [index, page] of pages.entries()) {
    document.addPage();
    if (inOutline === true && index === 0) document.outline.addItem(reportTitle(report));
    for (const mark of page.marks()) {
      if (!isPicture(mark)) {
        structure.enter(mark.tag);
        painter.draw(mark);
        continue;
      }
      const next = await budget.wait(pictures.next());
      structure.enter(mark.tag);
      painter.picture(mark, next.value ?? { problem: 'missing' });
      yield* drain(document);
    }
    structure.leave();
    if (document.readableLength >= CHUNK_BYTES) yield* drain(document);
    await turn();
  }
  for (const _ of structure.end()) await turn();
  yield* drain(document);
}

function* picturesOf(pages: readonly Page[]): Generator<PictureMark, void, undefined> {
  for (const page of pages) yield* page.pictures();
}

/** Yields the data that the document has written so far. pdfkit writes synchronously, so there is nothing to wait for. */
function* drain(document: Document): Generator<Uint8Array, void, undefined> {
  for (let bytes = read(document); bytes !== null; bytes = read(document)) {
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
  }
}

function read(document: Document): Uint8Array | null {
  return document.read() as Uint8Array | null;
}
