import { describe, expect, it } from '@jest/globals';
import { anna, bernd, bodyOf, directory, id, linesOf, records, shift } from '../test/fixture.js';

const workday = 'workday:hours';

/** A shift of the given number of seconds on 1 April 2026. */
function worked(seconds: number): { records: readonly ReturnType<typeof records>[] } {
  const base = shift(1, '2026-04-01T07:00', '2026-04-01T08:00');
  return { records: [records(anna.id, { workdays: [{ ...base, endedAt: base.startedAt + seconds }] })] };
}

/** The value of such a shift in a csv file. */
async function value(seconds: number, modifiers: string, format = 'csv:delimiter>;'): Promise<string | undefined> {
  const [line] = await linesOf({ types: workday, columns: `value${modifiers}`, export_format: format }, worked(seconds));
  return line;
}

describe('columns', () => {
  it.each([
    ['employee-id', anna.id],
    ['accounting-number', '1001'],
    ['employee-number', '0042'],
    ['first-name', 'Anna'],
    ['last-name', 'Abel'],
    ['full-name', 'Anna Abel'],
    ['email', 'anna@example.com'],
    ['position', 'Polierin'],
    ['department', 'Hochbau'],
    ['department-id', id(11)],
    ['cost-center', '4100'],
    ['type', workday],
    ['type-label', 'Arbeitstag'],
    ['unit', 'hours'],
    ['value', '2'],
    ['date', '2026-03-31'],
    ['weekday', 'Dienstag'],
    ['week', '14'],
    ['month', '3'],
    ['year', '2026'],
    ['period-start', '2026-04-01'],
    ['period-end', '2026-04-07'],
    ['start', '2026-03-31T22:00:00'],
    ['end', '2026-04-01T02:00:00'],
    ['start-time', '22:00'],
    ['end-time', '02:00'],
    ['break', '0'],
    ['project-id', ''],
    ['project-code', ''],
    ['project-name', ''],
    ['project-client', ''],
    ['project-cost-center', ''],
    ['comment', ''],
    ['absence-type', ''],
    ['absence-label', ''],
    ['custom.position', 'Polierin'],
    ['custom.Gr%C3%B6%C3%9Fe', 'M'],
    ['custom.constructor', ''],
  ])('contain for %s the value %j', async (columns, cell) => {
    const [header, first] = (await bodyOf({ types: workday, columns, export_format: 'csv:quote>none' })).split('\r\n');
    expect([header, first]).toEqual([columns === 'custom.Gr%C3%B6%C3%9Fe' ? 'custom.Größe' : columns, cell]);
  });

  it('are null in JSON if the row type does not fill them, and numbers if they are numeric', async () => {
    const columns = 'email|department|cost-center|date|weekday|week|month|year|start|start-time|break|comment|value';
    const body = await bodyOf(
      { columns, types: 'work-time:hours', export_format: 'json' },
      { records: [records(bernd.id, { workdays: [shift(1, '2026-04-01T07:00', '2026-04-01T14:27')] })] },
    );
    expect(JSON.parse(body)).toEqual([
      {
        email: null,
        department: 'Tiefbau',
        'cost-center': null,
        date: null,
        weekday: null,
        week: null,
        month: null,
        year: null,
        start: null,
        'start-time': null,
        break: null,
        comment: null,
        value: 7.45,
      },
    ]);
  });

  it('show absence types and their labels', async () => {
    const columns = 'type|type-label|absence-type|absence-label|unit|value';
    expect(await linesOf({ types: 'vacation:days|absence:days', columns })).toEqual([
      'vacation:days,Urlaub,vacation,Urlaub,days,0.5',
      'absence:days,Abwesenheit,,,days,0.5',
    ]);
  });

  it('take their week from ISO 8601 and their year from the date', async () => {
    const newYear = { daterange: '2024-12-30|2024-12-30', types: 'daily:hours', columns: 'week|month|year', skip_zero_rows: 'false' };
    expect(await linesOf(newYear, { records: [records(anna.id)] })).toEqual(['1,12,2024']);
  });
});

describe('modifiers of numbers', () => {
  // 26,802 s = 7.445 h, 26,820 s = 7.45 h, 31,530 s = 8.758333… h
  it.each([
    [26_802, '', '7.45'],
    [26_802, ':round>1', '7.4'],
    [26_802, ':round>0', '7'],
    [26_802, ':round>3', '7.445'],
    [26_802, ':round>2:round>1', undefined],
    [26_820, ':round>1', '7.5'],
    [31_530, ':round>4', '8.7583'],
    [31_530, ':round>6', '8.758333'],
    [31_530, ':floor>1', '8.7'],
    [31_530, ':floor>0', '8'],
    [31_530, ':ceil>1', '8.8'],
    [31_530, ':negate', '-8.76'],
    [31_530, ':negate:floor>1', '-8.8'],
    [31_530, ':negate:ceil>1', '-8.7'],
    [31_530, ':negate:abs', '8.76'],
    [26_802, ':quarter', '7.5'],
    [26_550, ':quarter', '7.5'],
    [26_549, ':quarter', '7.25'],
    [26_802, ':factor>1.25', '9.31'],
    [26_802, ':factor>-2', '-14.89'],
    [26_802, ':factor>0', '0'],
    [26_802, ':round>1:factor>1.25', '9.25'],
    [26_802, ':factor>1.25:round>1', '9.3'],
    [26_802, ':minutes', '446.7'],
    [26_802, ':seconds', '26802'],
    [26_802, ':comma', '7,45'],
    [26_802, ':fixed>2', '7.45'],
    [27_000, ':fixed>2', '7.50'],
    [27_000, ':fixed>0', '8'],
    [27_000, ':fixed>2:comma', '7,50'],
    [27_000, ':negate:fixed>2', '-7.50'],
    [26_802, ':hhmm', '7:27'],
    [26_789, ':hhmm', '7:26'],
    [26_790, ':hhmm', '7:27'],
    [26_802, ':negate:hhmm', '-7:27'],
    [360_000, ':hhmm', '100:00'],
    [27_000, ':pad>6', '0007.5'],
    [27_000, ':negate:pad>6', '-007.5'],
    [27_000, ':fixed>2:pad>6', '007.50'],
    [27_000, ':fixed>2:pad>6:comma', '007,50'],
    [27_000, ':negate:fixed>2:comma:pad>8', '-0007,50'],
    [27_000, ':negate:comma:pad>6', '-007,5'],
    [27_000, ':negate:hhmm:pad>6', '-07:30'],
    [27_000, ':negate:fixed>2:trim:pad>6', '-07.50'],
    [27_000, ':negate:fixed>2:default>-:pad>6', '-07.50'],
    [27_000, ':default>-', '7.5'],
    [27_000, ':upper', '7.5'],
    [27_000, ':trim:round>0', '8'],
  ])('convert %j s with %j to %j', async (seconds, modifiers, text) => {
    const parameters = (): Promise<string | undefined> => value(seconds, modifiers);
    if (text === undefined) await expect(parameters()).rejects.toMatchObject({ code: 'invalid' });
    else expect(await parameters()).toBe(text);
  });

  it('count characters, not UTF-16 units', async () => {
    const columns = 'absence-type:default>🏗🏗🏗:max>2:pad>4|unit:default>x:pad>7';
    expect(await linesOf({ types: workday, columns, export_format: 'csv' }, worked(3_600))).toEqual(['00🏗🏗,00hours']);
  });

  it.each([
    ['', '7,45'],
    [':round>1', '7,4'],
    [':fixed>3', '7,445'],
    [':pad>5', '07,45'],
    [':comma', '7,45'],
    [':default>a.b', '7,45'],
  ])('use the decimal comma of the file with %j', async (modifiers, text) => {
    expect(await value(26_802, modifiers, 'csv:delimiter>;:decimal>,')).toBe(text);
  });

  it.each([
    [':round>1', 7.4],
    [':factor>2', 14.89],
    [':minutes', 446.7],
    [':negate', -7.45],
    [':comma', '7,45'],
    [':fixed>2', '7.45'],
    [':hhmm', '7:27'],
    [':pad>5', '07.45'],
    [':default>x', '7.45'],
    [':lower', '7.45'],
    [':trim', 7.45],
  ])('with %j return %j in JSON', async (modifiers, json) => {
    const body = await bodyOf({ types: workday, columns: `value${modifiers}:as>v`, export_format: 'json' }, worked(26_802));
    expect(JSON.parse(body)).toEqual([{ v: json }]);
  });

  it('leave empty cells empty, except default', async () => {
    const columns = 'break:fixed>2|break:hhmm:as>b|week:pad>3|month:comma|year:default>-|email:upper';
    const bernds = records(bernd.id, { workdays: [shift(1, '2026-04-01T07:00', '2026-04-01T08:00')] });
    expect(await linesOf({ types: 'work-time:hours', columns }, { records: [bernds] })).toEqual([',,,,-,']);
  });
});

describe('modifiers of dates and texts', () => {
  it.each([
    ['date:date>de', '31.03.2026'],
    ['date:date>iso', '2026-03-31'],
    ['start:date>de', '31.03.2026'],
    ['end:date>iso', '2026-04-01'],
    ['period-start:format>D.M.YY', '1.4.26'],
    ['date:format>YYYYMMDD HHmmss', '20260331 000000'],
    ['start:format>DD.MM.YYYY HH%3Amm%3Ass', '31.03.2026 22:00:00'],
    ['end-time:format>HH.mm', '02.00'],
    ['start-time:pad>6', '022:00'],
    ['date:upper', '2026-03-31'],
    ['last-name:upper', 'ABEL'],
    ['position:lower', 'polierin'],
    ['position:max>3', 'Pol'],
    ['employee-number:pad>6', '000042'],
    ['project-code:default>ohne', 'ohne'],
    ['project-code:default>%20x%20:trim', 'x'],
    ['project-code:default>straße:upper', 'STRASSE'],
    ['last-name:as>A%7CB', 'Abel'],
    ['weekday:max>2', 'Di'],
  ])('convert %s to %j', async (columns, cell) => {
    expect((await linesOf({ types: workday, columns }))[0]).toBe(cell);
  });

  it('truncate between characters, not inside them', async () => {
    const emoji = { ...bernd, firstName: '👷👷👷' };
    const run = { records: [records(bernd.id)], directory: { ...directory, staff: [emoji] } };
    expect(await linesOf({ columns: 'first-name:max>2', skip_zero_rows: 'false' }, run)).toEqual(['👷👷']);
  });

  it('count a letter and its mark as one character', async () => {
    const decomposed = { ...bernd, firstName: 'Mu\u0308ller' };
    const run = { records: [records(bernd.id)], directory: { ...directory, staff: [decomposed] } };
    const columns = 'first-name:max>2|first-name:pad>8:as>padded|first-name:max>6:as>whole';
    expect(await linesOf({ columns, skip_zero_rows: 'false' }, run)).toEqual(['Mü,00Mu\u0308ller,Müller']);
  });

  it('set the header of the column', async () => {
    const body = await bodyOf({
      types: 'work-time:hours',
      columns: 'last-name:as>A%7CB|value:round>1:as>Std.|value',
      export_format: 'json',
    });
    expect(body).toBe('[{"A|B":"Abel","Std.":22,"value":22.01}]');
  });
});
