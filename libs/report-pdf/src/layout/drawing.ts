import type { PhotoEntry, WeatherIcon } from '../report.js';
import type { TextStyle } from './theme.js';

/** An element in the structure of the document, which screen readers use. Marks without a tag are decoration. */
export interface Tag {
  readonly type: 'Document' | 'H1' | 'H2' | 'P' | 'Sect' | 'Table' | 'TR' | 'TH' | 'TD' | 'Figure' | 'Caption';
  readonly parent: Tag | undefined;
  /** Alternative text of a picture. */
  readonly alt?: string;
}

/** Something drawn on a page; x and y are measured from its top left corner, in points. */
export type Mark = TextMark | LineMark | BoxMark | IconMark | PhotoMark | SignatureMark;

interface Placed {
  readonly x: number;
  readonly y: number;
  readonly tag?: Tag | undefined;
}

/** One line of text; y is its baseline, x its start or, if aligned, its end or middle. */
export interface TextMark extends Placed {
  readonly kind: 'text';
  readonly text: string;
  readonly style: TextStyle;
  readonly align?: 'right' | 'center' | undefined;
}

/** A horizontal line. */
export interface LineMark extends Placed {
  readonly kind: 'line';
  readonly width: number;
  readonly weight: number;
  readonly color: string;
}

export interface BoxMark extends Placed {
  readonly kind: 'box';
  readonly width: number;
  readonly height: number;
  readonly radius: number;
  readonly fill?: string;
  readonly stroke?: string;
}

export interface IconMark extends Placed {
  readonly kind: 'icon';
  readonly icon: WeatherIcon;
  readonly size: number;
}

interface Framed extends Placed {
  readonly width: number;
  readonly height: number;
}

/** A photo, fitted into its frame when the page is painted. */
export interface PhotoMark extends Framed {
  readonly kind: 'photo';
  readonly photo: PhotoEntry;
}

/** A signature, fitted into its frame. */
export interface SignatureMark extends Framed {
  readonly kind: 'signature';
  /** A data URL. */
  readonly image: string;
}

/** A part of a section that is placed as a unit. */
export interface Block {
  readonly height: number;
  /** Returns the marks to draw for a given top left corner. */
  draw(x: number, y: number): readonly Mark[];
  /** Only for blocks that can continue on the next page. */
  readonly division?: Division;
  /** Whether it stays on the page of the previous block, as a sum stays with its rows. */
  readonly withPrevious?: boolean;
  /** Whether it contains pictures, which have to be loaded first. */
  readonly hasPictures?: boolean;
}

/** How a block can be divided. */
export interface Division {
  /** Minimum height of a part. */
  readonly least: number;
  /** Divides the block in two, the first of at most `height`, which is at least `least` and less than the height of the block. */
  at(height: number): readonly [Block, Block];
}

/** Marks with a picture that has to be loaded first. */
export type PictureMark = PhotoMark | SignatureMark;

export function isPicture(mark: Mark): mark is PictureMark {
  return mark.kind === 'photo' || mark.kind === 'signature';
}

/** A finished page. Its marks are created on demand, because those of a long report would take several times the memory of its texts. */
export interface Page {
  marks(): readonly Mark[];
  /** Returns only the pictures, in the same order. */
  pictures(): readonly PictureMark[];
}
