import { getDocumentProxy } from 'unpdf';
import { expectedTexts } from './content.js';

/** The operator code of pdf.js for painting an image. */
const PAINT_IMAGE = 85;

/** Reads a PDF with another library. @returns the number of pictures, and which of the expected texts are missing */
export async function readBack(pdf: Uint8Array): Promise<string> {
  const document = await getDocumentProxy(new Uint8Array(pdf));
  let text = '';
  let pictures = 0;
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    text += items.map((item) => ('str' in item ? item.str : '')).join('');
    const { fnArray } = await page.getOperatorList();
    pictures += fnArray.filter((operator) => operator === PAINT_IMAGE).length;
  }
  const plain = withoutBlanks(text);
  const missing = expectedTexts().filter((expected) => !plain.includes(withoutBlanks(expected)));
  return `${pictures.toString()} pictures; missing: ${missing.join(' | ') || 'nothing'}`;
}

function withoutBlanks(text: string): string {
  return text.replaceAll(/\s/g, '');
}
