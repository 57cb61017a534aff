import { metrics } from '@opentelemetry/api';
import { formats, type ExportStats } from '@stechuhr/exporting';

const meter = metrics.getMeter('@stechuhr/export-runs');
const running = meter.createUpDownCounter('stechuhr.exports.running', { description: 'Exports that are being written.' });
const rows = meter.createCounter('stechuhr.exports.rows', { description: 'Rows written, without header rows.' });
const bytes = meter.createCounter('stechuhr.exports.bytes', { unit: 'By', description: 'Bytes written.' });

/** All counters exist from the start at 0: `rate` does not see the first increase of a counter, which may be a whole export. */
for (const { id } of formats) for (const counter of [rows, bytes]) counter.add(0, { 'export.format': id });

interface MeasuredRun {
  /** Read after each chunk. */
  readonly stats: ExportStats;
  readonly format: string;
}

/** Forwards the chunks of an export, and counts rows and bytes. */
export async function* measureRun(
  chunks: AsyncIterable<Uint8Array>,
  { stats, format }: MeasuredRun,
): AsyncGenerator<Uint8Array, void, undefined> {
  const attributes = { 'export.format': format };
  let counted = 0;
  running.add(1, attributes);
  try {
    for await (const chunk of chunks) {
      rows.add(stats.rows - counted, attributes);
      bytes.add(chunk.byteLength, attributes);
      counted = stats.rows;
      yield chunk;
    }
  } finally {
    running.add(-1, attributes);
  }
}
