import type { Tag } from '../layout/drawing.js';
import type { Document } from './document.js';

type Element = ReturnType<Document['struct']>;

/** Writes the structure of a document for screen readers; everything without a tag is marked as decoration. */
export class Structure {
  readonly #elements = new Map<Tag, Element>();
  #isOpen = false;
  #current: Tag | undefined;

  constructor(private readonly document: Document) {}

  /** Assigns everything drawn from now on to a tag. */
  enter(tag: Tag | undefined): void {
    if (this.#isOpen && tag === this.#current) return;
    this.leave();
    if (tag === undefined) this.document.markContent('Artifact');
    else this.#element(tag).add(this.document.markStructureContent(tag.type));
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
