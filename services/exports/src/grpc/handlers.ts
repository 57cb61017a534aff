import { requireCaller, type exportsV1 } from '@stechuhr/contracts';
import { namedSkipped, prepareExport } from '@stechuhr/export-runs';
import { exporterNames } from '@stechuhr/exporting';
import { serverStream, unary } from '@stechuhr/service';
import type { Context } from '../context.js';
import { PREFLIGHT_REVIEW_WAIT_MS, reviewWarnings } from '../operations/review-warnings.js';
import { runExport, type ExportPart } from '../operations/run-export.js';

export function exportHandlers(context: Context): exportsV1.ExportsServiceServer {
  return {
    listExporters: unary(async () => ({ exporters: [...exporterNames] })),
    runExport: serverStream(async function* ({ caller: named, ...request }, { signal }) {
      const caller = requireCaller(named);
      const share = context.memory.open(caller.institutionId);
      const ports = {
        sources: context.sourcesOf(caller, signal, share),
        tasks: context.tasksOf(caller, signal),
        reviews: context.reviewsOf(caller, signal),
        events: context.events,
      };
      try {
        for await (const part of runExport(ports, { caller, ...request })) yield toResponse(part);
      } finally {
        share.release();
      }
    }),
    preflight: unary(
      async ({ caller: named, exporter, parameters, withoutReview }, { signal }) => {
        const caller = requireCaller(named);
        const share = context.memory.open(caller.institutionId);
        try {
          const { request, skipped, warnings } = await prepareExport(context.sourcesOf(caller, signal, share), { exporter, parameters });
          const reviews = context.reviewsOf(caller, signal);
          const reviewed = withoutReview ? [] : reviewWarnings(reviews, request, PREFLIGHT_REVIEW_WAIT_MS);
          const all = (await Promise.all([warnings(), reviewed])).flat();
          return { skipped: [...namedSkipped(skipped)], skippedCount: skipped.length, warnings: all };
        } finally {
          share.release();
        }
      },
      { atOnce: true },
    ),
  };
}

function toResponse(part: ExportPart): exportsV1.RunExportResponse {
  if ('header' in part) return { part: { $case: 'header', value: { ...part.header, warnings: [...part.header.warnings] } } };
  if ('chunk' in part) return { part: { $case: 'chunk', value: part.chunk } };
  return { part: { $case: 'task', value: part.answered } };
}
