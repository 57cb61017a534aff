import { Readable } from 'node:stream';
import type { PhotoEntry, Report, ReportRenderer } from '@stechuhr/report-pdf';
import { content } from './content.js';
import type { Pictures } from './timed-reports.js';

/** Converts the content to the input of our library. */
export function ourReport(photos: readonly PhotoEntry[], signatures: readonly string[]): Report {
  return {
    organization: content.organization,
    project: content.project,
    date: content.date,
    status: 'submitted',
    renderedAt: `${content.date}T17:42:10`,
    fields: [
      {
        type: 'weather',
        label: 'Witterung',
        entries: content.weather.map(({ time, temperature, icon, word }) => ({ time, temperature, condition: { icon, word } })),
      },
      { type: 'employee-working-times', label: 'Mitarbeitende', entries: content.workers },
      { type: 'activities', label: 'Tätigkeiten', entries: content.activities },
      { type: 'string', label: 'Bemerkungen', entries: [{ value: content.remarks, author: null, at: null }] },
      { type: 'image', label: 'Fotos', entries: photos },
      {
        type: 'signature',
        label: 'Unterschriften',
        entries: signatures.map((image, index) => ({ image, name: content.signers[index] ?? null, role: null, at: null })),
      },
    ],
  };
}

/** Returns a photo entry that calls `open` each time it is read. */
export function ourPhoto(open: () => Readable, index: number): PhotoEntry {
  const time = content.photoTimes[index % content.photoTimes.length] ?? '';
  return {
    sources: [{ open: () => Promise.resolve(open()) }],
    takenAt: `${content.date}T${time}:00`,
    latitude: 48.13743,
    longitude: 11.57549,
    author: 'Jonas Weber',
  };
}

/** Renders the report with pictures that are already in memory. */
export async function renderOurs(renderer: ReportRenderer, { photos, signatures }: Pictures): Promise<Uint8Array> {
  const sources = photos.map((photo, index) => ourPhoto(() => Readable.from([photo]), index));
  const urls = signatures.map((png) => `data:image/png;base64,${png.toString('base64')}`);
  const chunks: Uint8Array[] = [];
  for await (const chunk of renderer.render(ourReport(sources, urls))) chunks.push(chunk);
  return Buffer.concat(chunks);
}
