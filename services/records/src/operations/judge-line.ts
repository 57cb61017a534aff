import { createLineJudge } from '@stechuhr/ingest';
import { kinds } from '../domain/kinds/index.js';

/** Judges one JSON object by itself: everything but what it says about other records. */
export const judgeLine = createLineJudge({ service: 'records', kinds });
