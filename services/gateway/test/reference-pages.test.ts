import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exporterNames, referencePage, referencePageNames } from '@stechuhr/exporting';
import { localDayOf } from '@stechuhr/worktime';
import { chromium, CONTRAST, openTab, type Tab } from './support/browser.js';
import { startTestGateway, type TestGateway } from './support/gateway.js';
import { call } from './support/http.js';

const pages = exporterNames.flatMap((exporter) => referencePageNames.map((name) => [exporter, name] as const));
const TODAY = localDayOf(Date.now() / 1000);
const pathOf = (exporter: string, name: string): string => `/api/v2/exports/${exporter}/${name}/`;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

describe('a reference page', () => {
  it.each(pages)('of %s/%s is German HTML and needs no token', async (exporter, name) => {
    const answer = await call(gateway.port, pathOf(exporter, name));
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.text).toContain('<html lang="de">');
    for (const { entries } of referencePage(exporter, name, TODAY).groups) {
      for (const { query } of entries) expect(answer.text).toContain(query.replaceAll('&', '&amp;').replaceAll("'", '&#39;'));
    }
  });

  it('needs no token, accepts a wrong one, and supports GET and HEAD', async () => {
    const path = pathOf('payroll_a', 'types');
    expect(await call(gateway.port, path, { token: 'wrong' })).toMatchObject({ status: 200 });
    expect(await call(gateway.port, path, { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
    expect(await call(gateway.port, path, { method: 'POST' })).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD, OPTIONS' } });
    expect(await call(gateway.port, pathOf('payroll_c', 'types'))).toMatchObject({ status: 404 });
    expect(await call(gateway.port, pathOf('payroll_a', 'rows'))).toMatchObject({ status: 404 });
  });
});

(chromium === undefined ? describe.skip : describe)('in a browser', () => {
  let tab: Tab;
  beforeAll(async () => {
    tab = await openTab(chromium ?? '');
  });
  afterAll(() => tab.close());

  const open = (exporter: string, name: string, width: number) =>
    tab.open(`http://127.0.0.1:${gateway.port}${pathOf(exporter, name)}`, width);
  const shown = () => tab.evaluate("[...document.querySelectorAll('article:not([hidden])')].map(({ id }) => id)");

  it.each(pages)('%s/%s fits phones and desktops, and loads nothing else', async (exporter, name) => {
    for (const width of [390, 1280]) {
      await open(exporter, name, width);
      expect(await tab.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      expect(tab.requests.filter((url) => !url.startsWith('data:'))).toEqual([`http://127.0.0.1:${gateway.port}${pathOf(exporter, name)}`]);
      expect(tab.complaints).toEqual([]);
    }
    const ids = referencePage(exporter, name, TODAY).groups.flatMap(({ entries }) => entries.map(({ id }) => id));
    expect(await shown()).toEqual(ids);
    const anchors = await tab.evaluate("[...document.querySelectorAll('article h3 a')].map((a) => decodeURIComponent(a.hash.slice(1)))");
    expect(anchors).toEqual(ids);
  });

  it('searches without a network', async () => {
    await open('payroll_a', 'types', 390);
    await tab.press('/');
    expect(await tab.evaluate('document.activeElement.labels[0].textContent')).toBe('Suchen');
    for (const key of 'nacht') await tab.press(key);
    expect(await shown()).toEqual(['305']);
    expect(await tab.evaluate("document.querySelector('[role=status]').textContent")).toBe('1 von 11 Einträgen');
    await tab.press('Escape');
    expect(await shown()).toHaveLength(11);
  });

  it('can be used with only the keyboard', async () => {
    await open('generic', 'columns', 1280);
    await tab.press('Tab');
    expect(await tab.evaluate('document.activeElement.textContent')).toBe('Zum Inhalt');
    for (const text of ['Stechuhr API', 'Exporte']) {
      await tab.press('Tab');
      expect(await tab.evaluate('document.activeElement.textContent')).toBe(text);
    }
    await tab.press('Tab');
    expect(await tab.evaluate('document.activeElement.getAttribute("aria-current")')).toBe('page');
  });

  it.each(['light', 'dark'])('has enough contrast in %s', async (scheme) => {
    await tab.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
    for (const [exporter, name] of [
      ['generic', 'modifiers'],
      ['payroll_b', 'types'],
    ] as const) {
      await open(exporter, name, 390);
      expect(await tab.evaluate(CONTRAST)).toBeGreaterThanOrEqual(4.5);
    }
  });

  it('prints only its content', async () => {
    await open('generic', 'filters', 1280);
    await tab.send('Emulation.setEmulatedMedia', { media: 'print' });
    const hidden = "['.search', 'nav', '.skip'].map((name) => getComputedStyle(document.querySelector(name)).display)";
    expect(await tab.evaluate(hidden)).toEqual(['none', 'none', 'none']);
    await tab.send('Emulation.setEmulatedMedia', { media: '' });
  });
});
