import { describe, expect, it } from '@jest/globals';
import { toVmui, vmuiDashboards } from './dashboards.js';

const panel = (title: string, unit: string, expr: string, legendFormat = '{{job}}') => ({
  title,
  description: `${title}.`,
  fieldConfig: { defaults: { unit } },
  targets: [{ expr, legendFormat }],
});

describe('dashboards for vmui', () => {
  it('contain all panels of the six dashboards of the chart, the overview first', () => {
    const made = vmuiDashboards(['gateway', 'records']);
    expect(made.map(({ title, rows }) => [title, rows.map((row) => row.panels.length)])).toEqual([
      ['overview', [11]],
      ['bus and outbox', [12]],
      ['exports and tasks', [10]],
      ['a service', [9, 9]],
      ['MongoDB, Redis and S3', [5]],
      ['tenants', [4]],
    ]);
    // No variables of Grafana are left.
    expect(JSON.stringify(made)).not.toContain('$');
  });

  it('have the same values, units and legends as in Grafana', () => {
    const panels = [
      panel('Requests', 'reqps', 'rate(requests[$__rate_interval])'),
      panel('Failed', 'percentunit', 'a / b', 'failed'),
      panel('Heap', 'bytes', 'heap{job="x"}', '{{instance}}'),
    ];
    expect(toVmui({ title: 'Stechuhr: overview', panels }, ['x'])).toEqual({
      title: 'overview',
      rows: [
        {
          title: 'overview',
          panels: [
            { title: 'Requests', description: 'Requests.', unit: '/s', expr: ['rate(requests[1m])'], alias: ['{{job}}'], showLegend: true, width: 6 }, // prettier-ignore
            { title: 'Failed', description: 'Failed.', unit: '%', expr: ['(a / b) * 100'], alias: ['failed'], showLegend: true, width: 6 },
            { title: 'Heap', description: 'Heap.', unit: 'MiB', expr: ['(heap{job="x"}) / 1048576'], alias: ['{{instance}}'], showLegend: true, width: 6 }, // prettier-ignore
          ],
        },
      ],
    });
  });

  it('have one row for each service where Grafana uses a variable', () => {
    const { rows } = toVmui({ title: 'Stechuhr: a service', panels: [panel('Heap', 'none', 'heap{job="$service"}')] }, [
      'gateway',
      'tasks',
    ]);
    expect(rows.map(({ title, panels }) => [title, panels[0]?.expr])).toEqual([
      ['gateway', ['heap{job="gateway"}']],
      ['tasks', ['heap{job="tasks"}']],
    ]);
  });

  it('are rejected if a unit has no counterpart in vmui', () => {
    expect(() => toVmui({ title: 'x', panels: [panel('Volts', 'volt', 'u')] }, [])).toThrow('Volts: vmui has no unit for volt');
  });
});
