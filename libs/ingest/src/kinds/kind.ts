import type { z } from 'zod';
import { joinedProblems, problemsOf } from './problem.js';

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

/** A record that is acceptable by itself, or everything that is wrong with it, as sentences. */
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
  /** A record may be refused because of another one: of live objects those of an institution are taken in their order. */
  readonly excludesOthers?: boolean;
  /** The fields of a line, without those that every line has. */
  readonly schema: z.ZodType;
  judge(line: object): Judged<C>;
}

/** The fields that every line of a kind has. */
export function envelopeOf({ identity }: Pick<Kind, 'identity'>): readonly string[] {
  return ['kind', 'institution_id', ...(identity === 'one' ? [] : ['id']), 'deleted'];
}

/** What {@link defineKind} makes a kind of. */
export interface KindDefinition<F> extends Pick<Kind, 'name' | 'identity' | 'order' | 'excludesOthers'> {
  /** Made of the fields of this lib, whose problems continue after the name of the field: `must be …`. */
  readonly schema: z.ZodType<F>;
  /** The ways in which the record contradicts itself, as sentences. */
  readonly contradictions?: (fields: F) => readonly string[];
  readonly references?: (fields: F) => readonly Reference[];
}

/** A kind whose lines a schema reads. */
export function defineKind<F>({ schema, contradictions, references, ...kind }: KindDefinition<F>): Kind<Content<F>> {
  return {
    ...kind,
    schema,
    judge(line) {
      const parsed = schema.safeParse(line);
      if (!parsed.success) return { reason: joinedProblems(problemsOf(parsed.error)) };
      const problems = contradictions?.(parsed.data) ?? [];
      if (problems.length > 0) return { reason: joinedProblems(problems) };
      return { content: { fields: parsed.data, references: references?.(parsed.data) ?? [] } };
    },
  };
}
