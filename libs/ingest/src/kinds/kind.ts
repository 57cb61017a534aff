import type { z } from 'zod';
import { firstProblem } from './problem.js';

/** What a record may name: another record of its institution, or one of the institution's absence types. */
export type ReferencedKind = 'institution' | 'department' | 'project' | 'account' | 'employee' | 'absence_type';

/** One mention of another record, and in which field it stands. */
export interface Reference {
  readonly field: string;
  readonly kind: ReferencedKind;
  readonly id: string;
}

/** The contents of a record. */
export interface Content<F = unknown> {
  /** As the schema of the kind reads them; what was left out is null. */
  readonly fields: F;
  /** Without its institution, which every object has. */
  readonly references: readonly Reference[];
}

/** A record that is acceptable by itself, or why it is not, as a sentence. */
export type Judged<C extends Content = Content> = { readonly content: C } | { readonly reason: string };

/** One kind of record: how a line of it is validated by itself. */
export interface Kind<C extends Content = Content> {
  readonly name: string;
  /**
   * `own` (where it is left out): each record has an `id`; `institution`: it is the institution, whose `id` is its `institution_id`;
   * `one`: an institution has one of it at most, known by the institution's id, and its lines have no `id`.
   */
  readonly identity?: 'own' | 'institution' | 'one';
  /** Whose lines of the kind keep their order when one has to wait: those of the same `record` (where it is left out) or `institution`. */
  readonly order?: 'record' | 'institution';
  judge(line: object): Judged<C>;
}

/** What {@link defineKind} makes a kind of. */
export interface KindDefinition<F> extends Pick<Kind, 'name' | 'identity' | 'order'> {
  /** Made of the fields of this lib, whose problems continue after the name of the field: `must be …`. */
  readonly schema: z.ZodType<F>;
  /** The first way in which the record contradicts itself, as a sentence. */
  readonly contradiction?: (fields: F) => string | undefined;
  readonly references?: (fields: F) => readonly Reference[];
}

/** A kind whose lines a schema reads. */
export function defineKind<F>({ schema, contradiction, references, ...kind }: KindDefinition<F>): Kind<Content<F>> {
  return {
    ...kind,
    judge(line) {
      const parsed = schema.safeParse(line);
      if (!parsed.success) return { reason: firstProblem(parsed.error) };
      const reason = contradiction?.(parsed.data);
      return reason === undefined ? { content: { fields: parsed.data, references: references?.(parsed.data) ?? [] } } : { reason };
    },
  };
}
