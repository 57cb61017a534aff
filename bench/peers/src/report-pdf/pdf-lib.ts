import { PDFDocument, StandardFonts, type PDFPage } from 'pdf-lib';
import type { Run } from '@stechuhr/bench/harness/types.js';
import { content } from '@stechuhr/bench/cases/report-pdf/content.js';
import { timedReports, type Pictures } from '@stechuhr/bench/cases/report-pdf/timed-reports.js';

const A4: [number, number] = [595.28, 841.89];

async function render({ photos, signatures }: Pictures): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  const texts = document.addPage(A4);
  writeTexts(texts, (page, text, at) => page.drawText(text, { ...at, font, size: 9.5, maxWidth: 495, lineHeight: 13 }));
  const page = document.addPage(A4);
  for (const [index, photo] of photos.entries()) {
    const image = await document.embedJpg(photo);
    const at = { x: 50 + (index % 2) * 255, y: 600 - Math.floor(index / 2) * 210 };
    page.drawImage(image, { ...at, ...image.scaleToFit(240, 180) });
    page.drawText(`${content.dateText}, ${content.photoTimes[index] ?? ''} Uhr`, { x: at.x, y: at.y - 12, font, size: 8 });
  }
  for (const [index, signature] of signatures.entries()) {
    const image = await document.embedPng(signature);
    page.drawImage(image, { x: 50 + index * 170, y: 80, ...image.scaleToFit(150, 50) });
    page.drawText(content.signers[index] ?? '', { x: 50 + index * 170, y: 60, font, size: 9 });
  }
  return document.save();
}

function writeTexts(page: PDFPage, write: (page: PDFPage, text: string, at: { x: number; y: number }) => void): void {
  let y = 800;
  const line = (...cells: readonly string[]): void => {
    for (const [index, cell] of cells.entries()) write(page, cell, { x: 50 + (index * 495) / cells.length, y });
    y -= 16;
  };
  line(content.organization, content.status);
  line(content.title, content.dateText, 'Seite 1 von 2');
  for (const value of Object.values(content.project)) line(value);
  for (const { time, word, temperatureText } of content.weather) line(time, word, temperatureText);
  for (const { name, position, hoursText } of content.workers) line(name, position, hoursText);
  for (const { text, person } of content.activities) {
    line(text);
    line(person);
  }
  line(content.remarks);
}

export const run: Run = (input) => timedReports(input, render);
