import type { IconMark } from '../layout/drawing.js';
import { COLOR } from '../layout/theme.js';
import type { WeatherIcon } from '../report.js';
import type { Document } from './document.js';

/** Size of the square in which icons are defined. */
const GRID = 32;
const CLOUD = 'M9 23 a5.5 5.5 0 0 1 -0.6 -10.95 a7.5 7.5 0 0 1 14.5 -1.6 a6.3 6.3 0 0 1 0.6 12.55 Z';
/** The same cloud, higher and slightly smaller, to leave room for rain or snow. */
const HIGH_CLOUD = 'M9.5 19 a5 5 0 0 1 -0.5 -9.97 a6.9 6.9 0 0 1 13.3 -1.45 a5.75 5.75 0 0 1 0.5 11.42 Z';

const DRAWINGS: Readonly<Record<WeatherIcon, (document: Document) => void>> = {
  sunny: (document) => {
    document.circle(16, 16, 5.6).stroke();
    for (let ray = 0; ray < 8; ray++) {
      const angle = (ray * Math.PI) / 4;
      const [x, y] = [Math.cos(angle), Math.sin(angle)];
      document.moveTo(16 + 9 * x, 16 + 9 * y).lineTo(16 + 12.6 * x, 16 + 12.6 * y);
    }
    document.stroke();
  },
  cloudy: (document) => {
    document.path(CLOUD).fillAndStroke(COLOR.wash, COLOR.accent);
  },
  precipitation: (document) => {
    document.path(HIGH_CLOUD).fillAndStroke(COLOR.wash, COLOR.accent);
    for (const x of [11, 16.5, 22]) document.moveTo(x, 22.5).lineTo(x - 2.2, 28);
    document.stroke();
  },
  snow: (document) => {
    document.path(HIGH_CLOUD).fillAndStroke(COLOR.wash, COLOR.accent);
    document.lineWidth(1.2);
    for (const [x, y] of [
      [9, 24.5],
      [16, 27],
      [23, 24.5],
    ] as const) {
      flake(document, x, y, 2.4);
    }
  },
};

function flake(document: Document, x: number, y: number, radius: number): void {
  for (let arm = 0; arm < 3; arm++) {
    const angle = (arm * Math.PI) / 3;
    const [dx, dy] = [radius * Math.cos(angle), radius * Math.sin(angle)];
    document.moveTo(x - dx, y - dy).lineTo(x + dx, y + dy);
  }
  document.stroke();
}

/** Draws a weather icon with lines that print well. */
export function drawIcon(document: Document, { icon, x, y, size }: IconMark): void {
  document.save();
  document
    .translate(x, y)
    .scale(size / GRID)
    .lineWidth(1.7)
    .lineCap('round')
    .lineJoin('round')
    .strokeColor(COLOR.accent);
  DRAWINGS[icon](document);
  document.restore();
}
