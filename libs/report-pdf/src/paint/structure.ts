import type { Tag } from '../layout/drawing.js';
import type { Document } from './document.js';

type Element = ReturnType<Document['struct']>;

/** Internal API of pdfkit: an object of the file, which is written when it ends. Afterwards only its number is needed. */
interface WrittenObject {
  data: Record<string, unknown>;
  /** Returns the reference to the object. */
  toString(): string;
}

/** Internal API of pdfkit: the elements with content on each page, by the number of the page. */
interface Tagged {
  readonly page: { readonly dictionary: WrittenObject; readonly structParentTreeKey: number };
  getStructParentTree(): { get(page: number): readonly WrittenObject[]; add(page: number, elements: unknown): unknown };
}

/** Writes the structure of a document for screen readers; everything without a tag is marked as decoration. */
export class Structure {
  readonly #elements = new Map<Tag, Element>();
  /** The pages with content, by number. */
  readonly #pages = new Map<number, WrittenObject>();
  #isOpen = false;
  #current: Tag | undefined;

  constructor(private readonly document: Document) {}

  /** Assigns everything drawn from now on to a tag. */
  enter(tag: Tag | undefined): void {
    if (this.#isOpen && tag === this.#current) return;
    this.leave();
    if (tag === undefined) this.document.markContent('Artifact');
    else {
      this.#element(tag).add(this.document.markStructureContent(tag.type));
      const { page } = this.document as unknown as Tagged;
      this.#pages.set(page.structParentTreeKey, page.dictionary);
    }
    this.#isOpen = true;
    this.#current = tag;
  }

  /** Ends the current content; call it before a page ends. */
  leave(): void {
    if (this.#isOpen) this.document.endMarkedContent();
    this.#isOpen = false;
  }

  /** Ends the structure: its elements are written one by one and then released. */
  *end(): Generator<void, void, undefined> {
    // In reverse order: ending the first element would end all of its descendants at once.
    for (const element of [...this.#elements.values()].reverse()) {
      element.end();
      yield;
    }
    this.#release();
  }

  /**
   * Releases what has been written. pdfkit keeps all elements and pages until the end of the document, which would be hundreds of megabytes for a
   * bundle of reports with hundreds of entries each.
   */
  #release(): void {
    const document = this.document as unknown as Tagged;
    const tree = document.getStructParentTree();
    for (const [number, page] of this.#pages) {
      tree.add(number, asWritten(tree.get(number)));
      // The current page has not been written yet.
      if (page !== document.page.dictionary) page.data = {};
    }
  }

  #element(tag: Tag): Element {
    const known = this.#elements.get(tag);
    if (known !== undefined) return known;
    const element = this.document.struct(tag.type, tag.alt === undefined ? {} : { alt: tag.alt });
    this.#elements.set(tag, element);
    if (tag.parent === undefined) this.document.addStructure(element);
    else this.#element(tag.parent).add(element);
    return element;
  }
}

/** Returns an object that pdfkit writes like these objects: as a list of their numbers. pdfkit recognises objects by their prototype. */
function asWritten(objects: readonly WrittenObject[]): unknown {
  const [first] = objects;
  if (first === undefined) return objects;
  const text = `[${objects.join(' ')}]`;
  return Object.create(Object.getPrototypeOf(first) as object, { toString: { value: () => text } });
}
