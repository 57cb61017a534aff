import type { PhotoEntry, WeatherIcon } from '../report.js';
import type { TextStyle } from './theme.js';

/** A place in the structure of the document, which screen readers read. What has none is decoration. */
export interface Tag {
  readonly type: 'Document' | 'H1' | 'H2' | 'P' | 'Sect' | 'Table' | 'TR' | 'TH' | 'TD' | 'Figure' | 'Caption';
  readonly parent: Tag | undefined;
  /** What a picture shows. */
  readonly alt?: string;
}

/** Something on a page; x and y from its top left corner, in points. */
export type Mark = TextMark | LineMark | BoxMark | IconMark | PhotoMark | SignatureMark;

interface Placed {
  readonly x: number;
  readonly y: number;
  readonly tag?: Tag | undefined;
}

/** One line of text; y is its baseline, x its start or, where it is aligned, its end or middle. */
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

/** A part of a section that moves as one. */
export interface Block {
  readonly height: number;
  /** The marks to draw for a given top left corner. */
  draw(x: number, y: number): readonly Mark[];
  /** For blocks that can continue on the next page. */
  readonly division?: Division;
  /** Stays on the page of the block before it: sums belong to what they sum up. */
  readonly withPrevious?: boolean;
  /** Whether it draws pictures, which have to be loaded before. */
  readonly hasPictures?: boolean;
}

/** How a block is divided. */
export interface Division {
  /** The least room in which a part of it may stand. */
  readonly least: number;
  /** Two blocks, the first of at most `height`, which is no less than `least` and less than the block's. */
  at(height: number): readonly [Block, Block];
}

/** Marks that show a picture that has to be loaded first. */
export type PictureMark = PhotoMark | SignatureMark;

export function isPicture(mark: Mark): mark is PictureMark {
  return mark.kind === 'photo' || mark.kind === 'signature';
}

/** A finished page. What is on it is drawn when it is asked for: the marks of a long report would take several times the memory of its texts. */
export interface Page {
  marks(): readonly Mark[];
  /** In the same order, without the others. */
  pictures(): readonly PictureMark[];
}
