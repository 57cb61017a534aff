import { escapeXml } from './escape.js';

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The namespace of workbooks and sheets. */
export const SPREADSHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

/** The cell styles: their indexes in `cellXfs` of the style sheet. */
export const styles = { plain: 0, header: 1, day: 2, moment: 3, time: 4 } as const;

/** Maximum number of decimals with which an amount is shown. */
const MAX_DECIMALS = 6;
const AMOUNT_DECIMALS = Array.from({ length: MAX_DECIMALS + 1 }, (_, decimals) => decimals);
const FIRST_AMOUNT_STYLE = 5;
const FIRST_AMOUNT_FORMAT = 167;

/** Returns the style of amounts with a number of decimals; only for workbooks with German numbers. */
export function amountStyle(decimals: number): number {
  return FIRST_AMOUNT_STYLE + Math.min(decimals, MAX_DECIMALS);
}

/** Returns an XML document of the package. */
export function xmlDocument(content: string): string {
  return DECLARATION + content;
}

/** The root relationships of the package, which point to the workbook. */
export const rootRelations = xmlDocument(
  `<Relationships xmlns="${PACKAGE}/relationships">` +
    `<Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
);

/**
 * Returns the style sheet: bold headers, and German formats (0x407) of dates and times regardless of the locale in which the file is
 * opened; optionally also of amounts.
 */
export function styleSheet(hasGermanNumbers: boolean): string {
  const amounts = hasGermanNumbers ? AMOUNT_DECIMALS : [];
  const formats = amounts.map((decimals) => {
    const code = `[$-407]#,##0${decimals === 0 ? '' : `.${'0'.repeat(decimals)}`}`;
    return `<numFmt numFmtId="${String(FIRST_AMOUNT_FORMAT + decimals)}" formatCode="${code}"/>`;
  });
  const ids = [164, 165, 166, ...amounts.map((decimals) => FIRST_AMOUNT_FORMAT + decimals)];
  return xmlDocument(
    `<styleSheet xmlns="${SPREADSHEET}"><numFmts count="${String(3 + formats.length)}"><numFmt numFmtId="164" formatCode="[$-407]dd.mm.yyyy"/>` +
      '<numFmt numFmtId="165" formatCode="[$-407]dd.mm.yyyy hh:mm:ss"/><numFmt numFmtId="166" formatCode="[$-407]hh:mm"/>' +
      `${formats.join('')}</numFmts>` +
      '<fonts count="2"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font>' +
      '<font><b/><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts>' +
      '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
      '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
      '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
      `<cellXfs count="${String(2 + ids.length)}">` +
      '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
      '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>' +
      ids.map((id) => `<xf numFmtId="${String(id)}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`).join('') +
      '</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
  );
}

/** Returns the path of a sheet by its number, counted from 1. */
export function sheetPath(number: string): string {
  return `worksheets/sheet${number}.xml`;
}

/** Returns the files that can only be written when all sheets are known: the workbook, its relationships and the content types. */
export function closingParts(sheetNames: readonly string[]): readonly (readonly [path: string, xml: string])[] {
  return [
    ['xl/workbook.xml', workbookXml(sheetNames)],
    ['xl/_rels/workbook.xml.rels', workbookRelations(sheetNames)],
    ['[Content_Types].xml', contentTypes(sheetNames)],
  ];
}

function workbookXml(sheetNames: readonly string[]): string {
  const sheets = numbered(sheetNames, (number, name) => `<sheet name="${escapeXml(name)}" sheetId="${number}" r:id="rId${number}"/>`);
  return xmlDocument(
    `<workbook xmlns="${SPREADSHEET}" xmlns:r="${OFFICE}"><bookViews><workbookView/></bookViews><sheets>${sheets}</sheets></workbook>`,
  );
}

function workbookRelations(sheetNames: readonly string[]): string {
  const relation = (id: string, type: string, target: string): string =>
    `<Relationship Id="rId${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
  const sheets = numbered(sheetNames, (number) => relation(number, 'worksheet', sheetPath(number)));
  const styling = relation(String(sheetNames.length + 1), 'styles', 'styles.xml');
  return xmlDocument(`<Relationships xmlns="${PACKAGE}/relationships">${sheets}${styling}</Relationships>`);
}

function contentTypes(sheetNames: readonly string[]): string {
  const override = (path: string, type: string): string => `<Override PartName="/xl/${path}" ContentType="${CONTENT}.${type}+xml"/>`;
  return xmlDocument(
    `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
      '<Default Extension="xml" ContentType="application/xml"/>' +
      override('workbook.xml', 'sheet.main') +
      override('styles.xml', 'styles') +
      numbered(sheetNames, (number) => override(sheetPath(number), 'worksheet')) +
      '</Types>',
  );
}

function numbered(names: readonly string[], print: (number: string, name: string) => string): string {
  return names.map((name, index) => print(String(index + 1), name)).join('');
}
