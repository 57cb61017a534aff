import type { Tag } from '../layout/drawing.js';
import type { Document } from './document.js';

type Element = ReturnType<Document['struct']>;

/** Writes down what the marks of a document are, for screen readers; everything else is marked as decoration. */
export class Structure {
  readonly #elements = new Map<Tag, Element>();
  #isOpen = false;
  #current: Tag | undefined;

  constructor(private readonly document: Document) {}

  /** What is drawn from now on belongs to the tag. */
  enter(tag: Tag | undefined): void {
    if (this.#isOpen && tag === this.#current) return;
    this.leave();
    if (tag === undefined) this.document.markContent('Artifact');
    else this.#element(tag).add(this.document.markStructureContent(tag.type));
    this.#isOpen = true;
    this.#current = tag;
  }

  /** Before a page ends. */
  leave(): void {
    if (this.#isOpen) this.document.endMarkedContent();
    this.#isOpen = false;
  }

  /** Nothing more belongs to it: it is written, part by part, and need not be kept. */
  *end(): Generator<void, void, undefined> {
    // From the last one on: otherwise the first would end all others with it, at once.
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
