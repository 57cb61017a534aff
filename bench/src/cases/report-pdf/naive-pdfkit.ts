import PDFDocument from 'pdfkit';
import { content } from './content.js';

type Document = InstanceType<typeof PDFDocument>;

/** Renders a report in the way of pdfkit's guide: flowing text, columns by x coordinate, pictures embedded without preparation. */
export async function naiveReport(photos: readonly Buffer[], signatures: readonly Buffer[]): Promise<Uint8Array> {
  const document = new PDFDocument({ size: 'A4', margin: 50, bufferPages: true });
  const chunks: Uint8Array[] = [];
  document.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  const ended = new Promise((resolve) => document.once('end', resolve));
  head(document);
  tables(document);
  for (const [index, photo] of photos.entries()) {
    const [column, row] = [index % 2, Math.floor(index / 2)];
    if (index === 0) document.addPage();
    document.image(photo, 50 + column * 255, 50 + row * 210, { fit: [240, 180] });
    document.fontSize(8).text(`${content.dateText}, ${content.photoTimes[index] ?? ''} Uhr`, 50 + column * 255, 233 + row * 210);
  }
  document.addPage();
  for (const [index, signature] of signatures.entries()) {
    document.image(signature, 50 + index * 170, 50, { fit: [150, 50] });
    document.fontSize(9).text(content.signers[index] ?? '', 50 + index * 170, 105);
  }
  const { count } = document.bufferedPageRange();
  for (let page = 0; page < count; page++) {
    document.switchToPage(page);
    document.fontSize(8).text(`Seite ${(page + 1).toString()} von ${count.toString()}`, 450, 770, { lineBreak: false });
  }
  document.end();
  await ended;
  return Buffer.concat(chunks);
}

function head(document: Document): void {
  const { organization, status, title, dateText, project } = content;
  document.font('Helvetica-Bold').fontSize(9).text(organization, 50, 50).text(status, 450, 50);
  document.fontSize(24).text(title, 50, 70).font('Helvetica').fontSize(12).text(dateText);
  for (const value of Object.values(project)) document.fontSize(10).text(value);
  for (const { time, word, temperatureText } of content.weather) document.text(`${time} Uhr ${word} ${temperatureText} °C`);
}

function tables(document: Document): void {
  for (const { name, position, hoursText } of content.workers) row(document, [name, position, hoursText]);
  for (const { text, person } of content.activities) row(document, [text, person]);
  document.text(content.remarks, 50, document.y, { width: 495 });
}

function row(document: Document, cells: readonly string[]): void {
  const top = document.y + 4;
  const width = 495 / cells.length - 10;
  let bottom = top;
  for (const [index, cell] of cells.entries()) {
    document.fontSize(9.5).text(cell, 50 + index * (width + 10), top, { width });
    bottom = Math.max(bottom, document.y);
  }
  document.y = bottom + 4;
  document.moveTo(50, document.y).lineTo(545, document.y).lineWidth(0.5).stroke('#cccccc');
}
