import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { getDocumentProxy } from 'unpdf';
import { createReportRenderer } from './render-report.js';
import type { PhotoSource, ReportField } from './report.js';
import { blankPng, jpegOf, photoOf, signatureUrl, sourceOf } from './test/pictures.js';
import { bytesOf, readPdf, remarks, rendered, renderer, reportOf, workers } from './test/reports.js';

let small: Buffer;
let signature: string;

beforeAll(async () => {
  small = await jpegOf(400, 300);
  signature = await signatureUrl();
});

const photos = (...entries: readonly ReturnType<typeof photoOf>[]): ReportField => ({ type: 'image', label: 'Fotos', entries });

/** Every field type once, with distinct texts. */
const everything = (): readonly ReportField[] => [
  {
    type: 'weather',
    label: 'Witterung',
    entries: [
      { time: '07:00', temperature: -1.5, condition: { icon: 'snow', word: 'Schnee' } },
      { time: '12:00', temperature: null, condition: null },
    ],
  },
  workers(2),
  {
    type: 'subcontractors',
    label: 'Nachunternehmen',
    entries: [
      { name: 'Elektro Huber', employees: 3, hours: 24, comment: 'Leerrohre' },
      { name: 'Gerüstbau Süd', employees: 2, hours: null, comment: null },
    ],
  },
  {
    type: 'activities',
    label: 'Tätigkeiten',
    entries: [
      { text: 'Mauerwerk', person: 'Anna Schäfer' },
      { text: 'Aufräumen', person: null },
      { text: 'Mauerwerk ', person: 'Bernd Krug' },
    ],
  },
  { type: 'string', label: 'Bemerkungen', entries: [{ value: 'Beton zu spät', author: 'Jonas Weber', at: '2026-10-21T10:05:00' }] },
  photos(photoOf(sourceOf(small))),
  {
    type: 'signature',
    label: 'Unterschriften',
    entries: [{ image: signature, name: 'Jonas Weber', role: 'Bauleitung', at: '2026-10-21T16:02:00' }],
  },
];

/** Removes the prefix of a font subset. */
const familyOf = (fonts: readonly string[]): readonly string[] => [...new Set(fonts.map((font) => font.replace(/^[A-Z]{6}\+/, '')))].sort();

describe('a report', () => {
  it('shows header, fields in the order of the form, and page numbers', async () => {
    const { pages, pictures, fonts, info } = await rendered(everything());
    expect(pages.flat()).toEqual([
      ...['Stand 21.10.2026, 17:42 Uhr', 'Seite 1 von 2'],
      ...['Hochbau Brandstätter GmbH', 'Eingereicht', 'Tagesbericht', 'Mittwoch, 21.10.2026'],
      ...['Projekt', 'Neubau Kita', 'Projektnummer', 'P-014', 'Adresse', 'Lindenallee 12, 80331 München', 'Auftraggeber', 'Stadt München'],
      ...['Witterung', '07:00 Uhr', 'Schnee', '–1,5 °C', '12:00 Uhr', '–'],
      ...['Mitarbeitende', 'Name', 'Funktion', 'Stunden', 'Person 1', 'Maurer', '7,50', 'Person 2', 'Maurer', '7,50'],
      ...['Summe (2 Personen)', '15,00'],
      ...['Nachunternehmen', 'Firma', 'Personen', 'Stunden', 'Bemerkung', 'Elektro Huber', '3', '24,00', 'Leerrohre'],
      ...['Gerüstbau Süd', '2', '–', '–'],
      ...['Tätigkeiten', 'Tätigkeit', 'Name', 'Mauerwerk', 'Anna Schäfer, Bernd Krug', 'Aufräumen'],
      ...['Bemerkungen', 'Beton zu spät', 'Jonas Weber', '21.10.2026, 10:05 Uhr'],
      ...['Stand 21.10.2026, 17:42 Uhr', 'Seite 2 von 2'],
      ...['Hochbau Brandstätter GmbH · P-014 Neubau Kita', 'Tagesbericht · 21.10.2026 · Eingereicht'],
      ...['Fotos', 'Foto 1 · 21.10.2026, 09:14 Uhr', '48,13743° N, 11,57549° O · Jonas Weber'],
      ...['Unterschriften', 'Jonas Weber', 'Bauleitung', '21.10.2026, 16:02 Uhr'],
    ]);
    expect(pictures).toEqual([0, 2]);
    expect(familyOf(fonts)).toEqual(['Arimo-Bold', 'Arimo-Regular']);
    expect(info).toMatchObject({ Title: 'Tagesbericht P-014 21.10.2026', Author: 'Hochbau Brandstätter GmbH', Language: 'de-DE' });
  });

  it('prints names, roles and headings whole, however long they may be', async () => {
    const text = (name: string): string => Array.from({ length: 20 }, (_, n) => `${name}-${n.toString()}`).join(' ');
    const names = ['Firma', 'Projekt', 'Nummer', 'Adresse', 'Bauherr', 'Feld', 'Person', 'Rolle', 'Autor'];
    const [organization = '', name = '', code = '', address = '', client = '', label = '', person = '', role = '', author = ''] =
      names.map(text);
    const fields: readonly ReportField[] = [
      { type: 'signature', label, entries: [{ image: signature, name: person, role, at: null }] },
      photos({ ...photoOf(sourceOf(small)), author }),
    ];
    const { pages } = await rendered(fields, { organization, project: { name, code, address, client } });
    const printed = new Set(pages.flat().join(' ').split(' '));
    expect(names.flatMap((each) => text(each).split(' ')).filter((word) => !printed.has(word))).toEqual([]);
  });

  it.each([
    ['2026-10-21T17:42:10', '20261021154210Z'],
    ['2026-11-21T17:42:10', '20261121164210Z'],
  ])('rendered at %s local time has the creation date %s', async (renderedAt, CreationDate) => {
    expect((await rendered([], { renderedAt })).info).toMatchObject({ CreationDate: `D:${CreationDate}` });
  });

  it('is structured for screen readers', async () => {
    const { roles } = await rendered(everything());
    const [first = [], second = []] = roles;
    expect(first.filter((role) => ['H1', 'H2', 'Table', 'TH'].includes(role))).toEqual([
      ...['H1', 'H2', 'H2', 'Table', 'TH', 'TH', 'TH', 'H2', 'Table', 'TH', 'TH', 'TH', 'TH', 'H2', 'Table', 'TH', 'TH', 'H2', 'Table'],
    ]);
    expect(second.filter((role) => role === 'Figure')).toHaveLength(2);
  });

  it.each([
    ['draft', 'Entwurf'],
    ['submitted', 'Eingereicht'],
    ['closed', 'Abgeschlossen'],
    ['archived', 'Archiviert'],
  ] as const)('with the status %s shows %s', async (status, word) => {
    expect((await rendered([], { status })).pages[0]).toContain(word);
  });

  it('without entries shows every label and a dash', async () => {
    const empty = everything().map((field) => ({ ...field, entries: [] }));
    const { pages } = await rendered(empty);
    expect(pages).toHaveLength(1);
    const body = pages[0]?.slice(pages[0].indexOf('Witterung'));
    expect(body).toEqual(
      ['Witterung', 'Mitarbeitende', 'Nachunternehmen', 'Tätigkeiten', 'Bemerkungen', 'Fotos', 'Unterschriften'].flatMap((label) => [
        label,
        '–',
      ]),
    );
  });

  it('writes a dash for missing project data', async () => {
    const { pages, info } = await rendered([], { project: { name: 'Kita', code: '', address: ' ', client: '' } });
    expect(pages[0]?.slice(6)).toEqual(['Projekt', 'Kita', 'Projektnummer', '–', 'Adresse', '–', 'Auftraggeber', '–']);
    expect(info).toMatchObject({ Title: 'Tagesbericht Kita 21.10.2026' });
  });

  it('repeats headings on each page and keeps the sum with the last row', async () => {
    const { pages } = await rendered([workers(70)]);
    expect(pages).toHaveLength(3);
    const names = pages.flat().filter((text) => text.startsWith('Person '));
    expect(names).toEqual(Array.from({ length: 70 }, (_, index) => `Person ${(index + 1).toString()}`));
    for (const page of pages.slice(1)) {
      const start = page.indexOf('Mitarbeitende');
      expect(page.slice(start, start + 5)).toEqual(['Mitarbeitende', 'Fortsetzung', 'Name', 'Funktion', 'Stunden']);
      expect(page[start + 5]).toMatch(/^Person/);
    }
    expect(pages.at(-1)?.slice(-2)).toEqual(['Summe (70 Personen)', '525,00']);
  });

  it('sums hours as decimal numbers', async () => {
    const people = ['Max', 'Eva', 'Ida'].map((name, index) => ({ name, position: '', hours: [1.0025, 1.0025, 0][index] ?? 0 }));
    const { pages } = await rendered([{ type: 'employee-working-times', label: 'Mitarbeitende', entries: people }]);
    expect(pages.flat().slice(-2)).toEqual(['Summe (3 Personen)', '2,01']);
  });

  it('distributes long texts over pages without losing a word', async () => {
    const words = Array.from({ length: 1600 }, (_, index) => `Wort${index.toString()}`);
    const { pages } = await rendered([remarks(words.join(' '), 'Ende')]);
    expect(pages.length).toBeGreaterThan(2);
    const body = pages
      .flat()
      .flatMap((line) => line.split(' '))
      .filter((word) => /^(Wort\d+|Ende)$/.test(word));
    expect(body).toEqual([...words, 'Ende']);
  });

  it('yields to other tasks while a long report is typeset and painted', async () => {
    const text = Array.from({ length: 250 }, (_, index) => `Wort${index.toString()}`).join(' ');
    const chunks = renderer.render(reportOf([remarks(...Array.from({ length: 800 }, () => text))]))[Symbol.asyncIterator]();
    let turns = 0;
    const count = (): void => {
      turns += 1;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    await chunks.next();
    const whileSet = turns;
    for (let next = await chunks.next(); next.done !== true;) next = await chunks.next();
    clearImmediate(counting);
    // It takes a second: other tasks run every 15 ms, or after every page if that takes longer.
    expect(whileSet).toBeGreaterThan(2);
    expect(turns - whileSet).toBeGreaterThan(10);
  });

  it('breaks extremely long words', async () => {
    const { pages } = await rendered([remarks('W'.repeat(3000))]);
    expect(pages.flat().join('').replaceAll(/[^W]/g, '').length).toBeGreaterThanOrEqual(3000);
  });

  it('keeps Polish and Turkish names searchable as text', async () => {
    const { pages, fonts } = await rendered([remarks('Łukasz Żółkiewski, Ayşe Şahin, İbrahim Yılmaz')]);
    expect(pages[0]).toContain('Łukasz Żółkiewski, Ayşe Şahin, İbrahim Yılmaz');
    expect(familyOf(fonts)).toEqual(['Arimo-Bold', 'Arimo-Regular']);
  });

  it('writes emoji next to letters', async () => {
    const { pages, fonts } = await rendered([remarks('Fertig 👍')]);
    expect(pages[0]?.slice(-2)).toEqual(['Fertig', '👍']);
    expect(familyOf(fonts)).toEqual(['Arimo-Bold', 'Arimo-Regular', 'NotoEmoji-Regular']);
  });

  it('meets the requirements of archives (PDF/A-2b, ISO 19005-2)', async () => {
    const bytes = await bytesOf(renderer.render(reportOf([...everything(), remarks('👍')], { organization: 'Müller & Söhne <Bau>' })));
    const text = bytes.toString('latin1');
    // 6.2.11.4: fonts are embedded, here the three that are used.
    expect(text.match(/\/FontFile2 /g)).toHaveLength(3);
    expect(text).not.toMatch(/\/BaseFont \/(?![A-Z]{6}\+)/);
    // 6.2.3: an output intent for its colours.
    expect(text).toContain('/S /GTS_PDFA1');
    expect(text).toContain('sRGB IEC61966-2.1');
    // 6.6.4: part and conformance level, in uncompressed metadata; names are unchanged.
    expect(text).toMatch(/<pdfaid:part>2<\/pdfaid:part>\s*<pdfaid:conformance>B<\/pdfaid:conformance>/);
    expect(bytes.includes('Müller &amp; Söhne &lt;Bau&gt;')).toBe(true);
    // 6.1.3: an identifier, and no encryption. 6.2.10: no transparency. 6.5: no actions.
    expect(text).toMatch(/\/ID \[<[0-9a-f]+> <[0-9a-f]+>\]/);
    expect(text).not.toMatch(/\/Encrypt|\/SMask|\/ca |\/CA |\/JavaScript|\/AA /);
  });
});

describe('reports in one file', () => {
  const about = { title: 'Tagesberichte P-014', organization: 'Hochbau Brandstätter GmbH', renderedAt: '2026-10-24T08:00:00' };
  async function* days(...dates: readonly string[]) {
    for (const date of dates) yield await Promise.resolve(reportOf(everything(), { date }));
  }

  it('follow each other, each with its own page numbers, and share the fonts', async () => {
    const bytes = await bytesOf(renderer.renderAll(days('2026-10-21', '2026-10-22'), about));
    const { pages, pictures, fonts, info } = await readPdf(bytes);
    expect(pages.map((page) => page[1])).toEqual(['Seite 1 von 2', 'Seite 2 von 2', 'Seite 1 von 2', 'Seite 2 von 2']);
    expect(pages.map((page) => page.find((text) => /2[12]\.10\.2026$/.test(text)))).toEqual([
      ...['Mittwoch, 21.10.2026', undefined, 'Donnerstag, 22.10.2026', undefined],
    ]);
    expect(pictures).toEqual([0, 2, 0, 2]);
    expect(familyOf(fonts)).toEqual(['Arimo-Bold', 'Arimo-Regular']);
    expect(bytes.toString('latin1').match(/\/FontFile2 /g)).toHaveLength(2);
    expect(info).toMatchObject({ Title: 'Tagesberichte P-014', Author: 'Hochbau Brandstätter GmbH' });
    const outline = await (await getDocumentProxy(new Uint8Array(bytes))).getOutline();
    expect(outline.map(({ title }) => title)).toEqual(['Tagesbericht P-014 21.10.2026', 'Tagesbericht P-014 22.10.2026']);
  });

  it('are found by the table at the end of the file, also if it is long', async () => {
    const many = async function* () {
      for (let at = 0; at < 9; at += 1) yield await Promise.resolve(reportOf([workers(600)]));
    };
    const text = (await bytesOf(renderer.renderAll(many(), about))).toString('latin1');
    const [, start, end] = /startxref\n(\d+)\n(%%EOF\n)$/.exec(text) ?? [];
    const [head, first, ...entries] = text.slice(Number(start), text.lastIndexOf('trailer')).trimEnd().split('\n');
    expect([head, first, end]).toEqual(['xref', `0 ${String(entries.length)}`, '%%EOF\n']);
    const wrong = entries.slice(1).filter((entry, at) => {
      const place = Number(entry.slice(0, 10));
      return !text.startsWith(`${String(at + 1)} 0 obj\n`, place);
    });
    expect([entries[0], wrong]).toEqual(['0000000000 65535 f ', []]);
    expect(entries.length).toBeGreaterThan(20_000);
  });

  it('are requested one by one while the file is read', async () => {
    const photo = await jpegOf(1600, 1600);
    let requested = 0;
    async function* many() {
      for (; requested < 40; requested++) yield await Promise.resolve(reportOf([photos(photoOf(sourceOf(photo)))]));
    }
    const chunks = renderer.renderAll(many(), about)[Symbol.asyncIterator]();
    await chunks.next();
    await chunks.return?.();
    expect(requested).toBeLessThan(3);
  });
});

describe('memory', () => {
  /** Returns the memory that is in use after a collection, in MB. */
  const used = (): number => {
    setFlagsFromString('--expose-gc');
    (runInNewContext('gc') as () => void)();
    return process.memoryUsage().heapUsed / 1e6;
  };

  it('does not grow with the reports of a bundle that have been written', async () => {
    const inUse: number[] = [];
    async function* many() {
      for (let count = 0; count < 5; count += 1) {
        yield await Promise.resolve(reportOf([workers(1_000)]));
        inUse.push(used());
      }
    }
    const about = { title: 'Tagesberichte', organization: 'Bau', renderedAt: '2026-10-24T08:00:00' };
    for await (const chunk of renderer.renderAll(many(), about)) expect(chunk.length).toBeGreaterThan(0);
    // Four reports of 4,000 elements on 40 pages each; pdfkit would keep more than a megabyte of each.
    expect((inUse.at(-1) ?? 0) - (inUse[0] ?? 0)).toBeLessThan(2);
  });

  it('does not grow with the number of different words', async () => {
    const words = Array.from({ length: 10_000 }, (_, at) => `Bauteil-${String(at)}`);
    const chunks = renderer.render(
      reportOf([remarks(...Array.from({ length: 10 }, (_, at) => words.slice(at * 1_000, (at + 1) * 1_000).join(' ')))]),
    );
    const before = used();
    let most = 0;
    for await (const chunk of chunks) most = Math.max(most, chunk.length > 0 ? used() : 0);
    // pdfkit would keep four kilobytes of each word.
    expect(most - before).toBeLessThan(20);
  });
});

describe('photos', () => {
  const failing = (error: Error): PhotoSource => ({ open: () => Promise.reject(error) });

  it('that cannot be shown are replaced by the reason, and the others are shown', async () => {
    const bomb = await blankPng({ width: 3000, height: 3000, colorType: 6 });
    const entries = [
      photoOf(),
      photoOf(sourceOf(bomb)),
      photoOf(sourceOf(Buffer.from('no picture, only some words'))),
      photoOf(failing(new Error('reset'))),
      photoOf(sourceOf(small.subarray(0, 300))),
      photoOf(sourceOf(small)),
    ];
    const { pages, pictures } = await rendered([photos(...entries)]);
    const words = [
      'Foto nicht vorhanden',
      'Bild hat zu viele Bildpunkte',
      'Bildformat nicht darstellbar',
      'Foto nicht abrufbar',
      'Bilddatei beschädigt',
    ];
    expect(pages.flat().filter((text) => words.includes(text))).toEqual(words);
    expect(pictures.reduce((sum, count) => sum + count)).toBe(1);
  });

  it('with fill bytes between their segments are shown and do not break the report', async () => {
    const entries = ['ff', 'ffff', 'ff01'].map((fill) =>
      photoOf(sourceOf(Buffer.concat([small.subarray(0, 2), Buffer.from(fill, 'hex'), small.subarray(2)]))),
    );
    const { pictures } = await rendered([photos(...entries)]);
    expect(pictures).toEqual([3]);
  });

  it('are replaced by their preview if they cannot be shown', async () => {
    const { pages, pictures } = await rendered([photos(photoOf(failing(new Error('gone')), sourceOf(small)))]);
    expect(pictures).toEqual([1]);
    expect(pages.flat()).not.toContain('Foto nicht abrufbar');
  });

  it('are read only when their page is read', async () => {
    let opened = 0;
    const counted: PhotoSource = {
      open: () => {
        opened++;
        return Promise.resolve(Readable.from([small]));
      },
    };
    const chunks = renderer.render(reportOf([photos(...Array.from({ length: 40 }, () => photoOf(counted)))]))[Symbol.asyncIterator]();
    expect(opened).toBe(0);
    await chunks.next();
    expect(opened).toBeLessThan(8);
    await chunks.return?.();
    expect(opened).toBeLessThan(8);
  });

  it('in several entries are read and embedded once for all reports of a file', async () => {
    const reads = new Map<string, number>();
    const stored = (key: string, bytes: Buffer | Error): PhotoSource => ({
      key,
      open: () => {
        reads.set(key, (reads.get(key) ?? 0) + 1);
        return bytes instanceof Error ? Promise.reject(bytes) : Promise.resolve(Readable.from([bytes]));
      },
    });
    const broken = small.subarray(0, 300);
    const entries = Array.from({ length: 12 }, (_, at) => [
      photoOf(stored('shown', small), stored(`preview ${String(at)}`, small)),
      photoOf(stored('broken', broken), stored('shown', small)),
      photoOf(stored('broken', broken)),
    ]);
    const report = reportOf([photos(...entries.flat(), photoOf(stored('gone', new Error('reset'))))]);
    async function* two() {
      yield* await Promise.resolve([report, report]);
    }
    const bytes = await bytesOf(renderer.renderAll(two(), { title: 'Fotos', organization: 'Bau', renderedAt: '2026-10-24T08:00:00' }));
    // Unreachable photos are tried again.
    expect([...reads]).toEqual([
      ['shown', 1],
      ['broken', 1],
      ['gone', 2],
    ]);
    expect(bytes.toString('latin1').match(/\/Subtype \/Image/g)).toHaveLength(1);
    const { pages, pictures } = await readPdf(bytes);
    expect(pictures.reduce((sum, count) => sum + count)).toBe(2 * 2 * 12);
    expect(pages.flat().filter((text) => text === 'Bilddatei beschädigt')).toHaveLength(2 * 12);
  });

  it('are limited per file; photos that were already read are still shown', async () => {
    const bounded = createReportRenderer({ photosPerFile: 2 });
    const entries = ['a', 'b', 'c', 'a'].map((key) => photoOf({ ...sourceOf(small), key }));
    const { pages, pictures } = await readPdf(await bytesOf(bounded.render(reportOf([photos(...entries)]))));
    expect(pictures.reduce((sum, count) => sum + count)).toBe(3);
    expect(pages.flat().filter((text) => text === 'Nicht gezeigt: zu viele Fotos')).toHaveLength(1);
  });

  it('are read within the limits for all reports together', async () => {
    const limited = createReportRenderer({ parallelFetches: 3 });
    const open = { now: 0, most: 0 };
    const source: PhotoSource = {
      open: () => {
        open.most = Math.max(open.most, ++open.now);
        const stream = Readable.from([small]);
        stream.once('close', () => open.now--);
        return Promise.resolve(stream);
      },
    };
    const fields = [photos(...Array.from({ length: 6 }, () => photoOf(source)))];
    const files = await Promise.all(Array.from({ length: 8 }, () => bytesOf(limited.render(reportOf(fields)))));
    expect(open).toEqual({ now: 0, most: 3 });
    expect((await readPdf(files[7] ?? Buffer.alloc(0))).pictures).toEqual([4, 2]);
  });

  it('end with the signal', async () => {
    const controller = new AbortController();
    const source: PhotoSource = {
      open: () => {
        controller.abort(new Error('left'));
        return Promise.resolve(new Readable({ read() {} }));
      },
    };
    await expect(bytesOf(renderer.render(reportOf([photos(photoOf(source))]), controller.signal))).rejects.toThrow('left');
  });

  it('share a time limit per report, after which the rest is left out', async () => {
    const server = createServer((_, response) => void response.write(small.subarray(0, 100)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const standing: PhotoSource = {
      async open(signal) {
        const { body } = await fetch(`http://127.0.0.1:${port.toString()}/`, { signal });
        return Readable.fromWeb(body as ReadableStream);
      },
    };
    // The first one is available; the last one too, but the others have used up the time. With a limit for each photo, it would be shown.
    const sources = [sourceOf(small), ...Array.from({ length: 9 }, () => standing), sourceOf(small)];
    const hasty = createReportRenderer({ reportTimeoutMs: 3_000 });
    const file = await bytesOf(hasty.render(reportOf([photos(...sources.map((source) => photoOf(source, source)))])));
    const { pages, pictures } = await readPdf(file);
    expect(pages.flat().filter((text) => text === 'Foto nicht rechtzeitig geladen')).toHaveLength(10);
    expect(pictures.reduce((sum, count) => sum + count)).toBe(1);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('that are decompression bombs are refused by their header alone', async () => {
    const bomb = await blankPng({ width: 12_000, height: 12_000, colorType: 6 });
    expect(bomb.length).toBeLessThan(600_000);
    // Whoever decoded the second one would find it broken.
    const beheaded = bomb.subarray(0, 1_000);
    const { pages, pictures } = await rendered([photos(photoOf(sourceOf(bomb)), photoOf(sourceOf(beheaded)))]);
    expect(pages.flat().filter((text) => text.startsWith('Bild'))).toEqual([
      'Bild hat zu viele Bildpunkte',
      'Bild hat zu viele Bildpunkte',
    ]);
    expect(pictures).toEqual([0]);
  });
});

/** The CPU time of this thread in milliseconds, which does not advance while a busy machine suspends it. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

describe('activities', () => {
  it('name each person, also two of the same name', async () => {
    const entries = ['Max Maurer', 'Eva Estrich', 'Max Maurer', null].map((person) => ({ text: 'Schalung', person }));
    const { pages } = await rendered([{ type: 'activities', label: 'Tätigkeiten', entries }]);
    expect(pages.join(' ').replace(/\s+/g, ' ')).toContain('Max Maurer, Eva Estrich, Max Maurer');
  });

  it('of thousands of people are typeset in turns, and all people are printed', async () => {
    const person = (at: number) => `${'Anna-Maria '.repeat(40)}${String(at)}`;
    const entries = Array.from({ length: 10_000 }, (_, at) => ({ text: 'Mauerwerk', person: person(at) }));
    const chunks = renderer.render(reportOf([{ type: 'activities', label: 'Tätigkeiten', entries }]))[Symbol.asyncIterator]();
    const began = threadMs();
    let isOver = false;
    const first = chunks.next().finally(() => (isOver = true));
    let longest = 0;
    for (let last = began; !isOver; last = threadMs()) {
      await nextTurn();
      longest = Math.max(longest, threadMs() - last);
    }
    await first;
    expect(longest).toBeLessThan((threadMs() - began) / 2);
    await chunks.return?.();
    const few = Array.from({ length: 120 }, (_, at) => ({ text: 'Mauerwerk', person: `Anna ${String(at)}.` }));
    const { pages } = await rendered([{ type: 'activities', label: 'Tätigkeiten', entries: few }]);
    const printed = pages.flat().join(' ');
    expect(few.filter((entry) => !printed.includes(entry.person))).toEqual([]);
    expect(printed.match(/Mauerwerk/gu)).toHaveLength(1);
  });
});

describe('signatures', () => {
  it('that are broken leave an empty frame', async () => {
    const entries = [
      { image: 'data:image/png;base64,AAAA', name: 'Anna', role: null, at: null },
      { image: signature, name: null, role: null, at: null },
    ];
    const { pages, pictures } = await rendered([{ type: 'signature', label: 'Unterschriften', entries }]);
    expect(pages[0]?.slice(-3)).toEqual(['Unterschrift nicht darstellbar', 'Anna', '–']);
    expect(pictures).toEqual([1]);
  });

  it('are never alone on a page', async () => {
    const entries = [{ image: signature, name: 'Anna', role: null, at: null }];
    for (let count = 1; count <= 60; count++) {
      const { pages } = await rendered([workers(count), { type: 'signature', label: 'Unterschriften', entries }]);
      const signed = pages.find((page) => page.includes('Unterschriften'));
      expect(signed?.some((text) => text.startsWith('Person '))).toBe(true);
    }
  });
});

describe('chunks', () => {
  it('are at most 64 KiB', async () => {
    const large = await jpegOf(1600, 1600);
    const sizes: number[] = [];
    for await (const chunk of renderer.render(reportOf([photos(photoOf(sourceOf(large)), photoOf(sourceOf(large)))])))
      sizes.push(chunk.length);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(65_536);
  });
});
