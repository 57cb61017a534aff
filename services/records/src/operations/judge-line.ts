import { createLineJudge } from '@stechuhr/ingest';
import { kinds } from '../domain/kinds/index.js';

/** Validates one JSON object by itself: everything but its references. */
export const judgeLine = createLineJudge({ service: 'records', kinds });
