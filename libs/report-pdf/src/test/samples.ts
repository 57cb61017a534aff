import { createReportRenderer } from '../render-report.js';
import type { Report, ReportField } from '../report.js';
import { canvas, jpegOf, photoOf, signatureUrl, sourceOf } from './pictures.js';
import { bytesOf, remarks, reportOf, workers } from './reports.js';

/** A file for external validators. */
export interface PdfSample {
  readonly name: string;
  readonly bytes: Buffer;
}

/**
 * Yields files that contain everything that can occur in a report: letters of all fonts, every kind of picture, names that look like
 * markup.
 */
export async function* pdfSamples(): AsyncGenerator<PdfSample, void, undefined> {
  const renderer = createReportRenderer();
  const full = await fields();
  const about = { title: 'Tagesberichte <P-014> & mehr', organization: 'Müller & Söhne <Bau>', renderedAt: '2026-10-24T08:00:00' };
  for (const [name, report] of reports(full)) yield { name, bytes: await bytesOf(renderer.render(report)) };
  yield { name: 'bundle', bytes: await bytesOf(renderer.renderAll(oneByOne(reports(full)), about)) };
}

function reports(full: readonly ReportField[]): readonly (readonly [name: string, report: Report])[] {
  return [
    ['empty', reportOf(full.map((field) => ({ ...field, entries: [] })))],
    ['german', reportOf([workers(40), remarks('Größe „Ä“ – 12 €')])],
    ['letters', reportOf([remarks('Łukasz Żółkiewski, Ayşe Şahin, İbrahim', 'Кладка, Ελλάδα', '中 𝐁 \u{e000}')])],
    ['emoji', reportOf([remarks('Fertig 👍🏽 👷‍♂️ 🇩🇪 1️⃣ ❤️ 🏴‍☠️')])],
    [
      'markup',
      reportOf(full, { organization: 'Müller & Söhne <Bau>', project: { name: '<b>&amp;', code: '', address: '', client: ']]>' } }),
    ],
  ];
}

async function fields(): Promise<readonly ReportField[]> {
  const grey = await canvas(300, 200).greyscale().jpeg().toBuffer();
  const cmyk = await canvas(300, 200).toColourspace('cmyk').jpeg().toBuffer();
  const clear = await canvas(300, 200).ensureAlpha(0.5).png().toBuffer();
  const webp = await canvas(300, 200).webp().toBuffer();
  const progressive = await canvas(300, 200).jpeg({ progressive: true }).toBuffer();
  const photos = [await jpegOf(400, 300), grey, cmyk, clear, webp, progressive, Buffer.from('no picture')];
  const image = await signatureUrl();
  return [
    {
      type: 'weather',
      label: 'Witterung',
      entries: (['sunny', 'cloudy', 'precipitation', 'snow'] as const).map((icon) => {
        return { time: '07:00', temperature: -1.5, condition: { icon, word: icon } };
      }),
    },
    workers(3),
    remarks('Beton zu spät'),
    { type: 'image', label: 'Fotos', entries: photos.map((bytes) => photoOf(sourceOf(bytes))) },
    {
      type: 'signature',
      label: 'Unterschriften',
      entries: [{ image, name: 'Jonas Weber', role: 'Bauleitung', at: '2026-10-21T16:02:00' }],
    },
  ];
}

async function* oneByOne(named: readonly (readonly [name: string, report: Report])[]): AsyncGenerator<Report, void, undefined> {
  for (const [, report] of named) yield await Promise.resolve(report);
}
