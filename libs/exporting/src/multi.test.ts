import { describe, expect, it } from '@jest/globals';
import { anna, annasWeek, bernd, bodyOf, carla, chunksOf, directory, EASTER, id, records, shift, type Run } from './test/fixture.js';
import { contentType, fileName } from './request/export-request.js';
import { parseExportRequest } from './request/parse-request.js';
import { selectStaff } from './select-staff.js';

const multi: Run = {
  exporter: 'multi',
  records: [annasWeek, records(bernd.id, { workdays: [shift(1, '2026-04-02T08:00', '2026-04-02T09:30')] })],
};

const config = JSON.stringify([
  { title: 'Arbeit "netto"', types: ['work-time:hours'] },
  { columns: ['last-name', 'date', 'value'], types: ['daily:hours'], employee_ids: [bernd.id] },
  { title: 'März; alle', daterange: ['2026-03-01', '2026-03-31'], types: ['work-time:hours'], employee_group_ids: [id(12)] },
]);

const parameters = { config, columns: 'last-name|value' };

describe('multi', () => {
  it('writes csv sections with their titles and a blank line between', async () => {
    expect(await bodyOf(parameters, multi)).toBe(
      [
        '"Arbeit ""netto"""',
        'last-name,value',
        'Abel,22.01',
        'Çelik,1.5',
        '',
        'last-name,date,value',
        'Çelik,2026-04-02,1.5',
        '',
        'März; alle',
        'last-name,value',
        '',
      ].join('\r\n'),
    );
  });

  it('applies the options of the format', async () => {
    const options = {
      export_format: 'csv:delimiter>%3B:quote>all:newline>lf:header>false:bom',
      prefix: Buffer.from('P\n').toString('base64'),
    };
    expect(await bodyOf({ ...parameters, ...options }, multi)).toBe(
      '\uFEFFP\n"Arbeit ""netto"""\n"Abel";"22.01"\n"Çelik";"1.5"\n\n"Çelik";"2026-04-02";"1.5"\n\n"März; alle"\n',
    );
    const titled = JSON.stringify([{ title: '=1' }, { title: '-x' }]);
    expect(await bodyOf({ config: titled, columns: 'value' }, { ...multi, records: [] })).toBe("'=1\r\nvalue\r\n\r\n'-x\r\nvalue\r\n");
  });

  it('writes sections of plain text and tables', async () => {
    expect(await bodyOf({ ...parameters, export_format: 'plain' }, multi)).toBe(
      'Arbeit "netto"\nAbel\t22.01\nÇelik\t1.5\n\nÇelik\t2026-04-02\t1.5\n\nMärz; alle\n',
    );
    expect(await bodyOf({ ...parameters, export_format: 'table' }, multi)).toBe(
      [
        'Arbeit "netto"',
        'last-name  value',
        '---------  -----',
        'Abel       22.01',
        'Çelik        1.5',
        '',
        'last-name  date        value',
        '---------  ----------  -----',
        'Çelik      2026-04-02    1.5',
        '',
        'März; alle',
        'last-name  value',
        '---------  -----',
        '',
      ].join('\n'),
    );
  });

  it('writes json rows one after the other, each with the title of its section', async () => {
    const body = await bodyOf({ ...parameters, export_format: 'json', response_only: 'false' }, multi);
    expect(JSON.parse(body)).toMatchObject({
      request: { exporter: 'multi', types: null, columns: ['last-name', 'value'] },
      response: [
        { section: 'Arbeit "netto"', 'last-name': 'Abel', value: 22.01 },
        { section: 'Arbeit "netto"', 'last-name': 'Çelik', value: 1.5 },
        { section: null, 'last-name': 'Çelik', date: '2026-04-02', value: 1.5 },
      ],
    });
    expect(await bodyOf({ ...parameters, export_format: 'json' }, { ...multi, records: [] })).toBe('[]');
  });

  it('counts the rows of all sections', async () => {
    const stats = { rows: 0 };
    await chunksOf({ ...parameters, export_format: 'xlsx' }, { ...multi, stats });
    expect(stats.rows).toBe(3);
  });

  it('has its own file name', () => {
    const request = parseExportRequest('multi', { ...parameters, daterange: EASTER, response_only: 'true' }, directory);
    expect([contentType(request), fileName(request)]).toEqual(['text/csv; charset=utf-8', 'multi-2026-04-01-2026-04-07.csv']);
  });
});

describe('the staff of multi', () => {
  function select(parts: readonly unknown[]): ReturnType<typeof selectStaff> {
    return selectStaff(parseExportRequest('multi', { daterange: EASTER, config: JSON.stringify(parts) }, directory), directory);
  }

  it('is selected for each part, and skipped employees are listed once', async () => {
    const march = ['2026-03-01', '2026-03-31'];
    const skipped = [{ id: carla.id, name: 'Carla Dorn', reason: 'archived' }];
    expect(await select([{}, { employee_ids: [bernd.id] }, { daterange: march }, {}])).toMatchObject({
      sections: [[anna, bernd], [bernd], [anna, bernd, carla], [anna, bernd]],
      skipped,
    });
    expect((await select([{ daterange: march }])).skipped).toEqual([]);
  });
});
