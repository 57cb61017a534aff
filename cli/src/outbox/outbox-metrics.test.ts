import { describe, expect, it } from '@jest/globals';
import { readOutboxes } from './outbox-metrics.js';

const METRICS = `# HELP stechuhr_outbox_age Age of the oldest unpublished event in an outbox.
# TYPE stechuhr_outbox_age gauge
stechuhr_outbox_age{store="workmonths",otel_scope_name="@stechuhr/bus"} 12.3456
stechuhr_outbox_waiting{otel_scope_name="@stechuhr/bus",store="workmonths"} 7 1767225600000
stechuhr_outbox_waiting{store="accounts"} 0
stechuhr_bus_published_total{store="x"} 3`;

describe('readOutboxes', () => {
  it('reads every store once, by name', () => {
    expect(readOutboxes(METRICS)).toEqual([
      { store: 'accounts', documents: 0, age_seconds: 0 },
      { store: 'workmonths', documents: 7, age_seconds: 12.3 },
    ]);
  });

  it('finds none where a service has none', () => {
    expect(readOutboxes('# telemetry is off')).toEqual([]);
  });
});
