import { z } from 'zod';
import { joinedProblems, problemsOf } from './problem.js';

/** What a record may reference: another record of its institution, or one of the institution's absence types. */
export type ReferencedKind = 'institution' | 'department' | 'project' | 'account' | 'employee' | 'absence_type';

/** A reference to another record, and the field that contains it. */
export interface Reference {
  readonly field: string;
  readonly kind: ReferencedKind;
  readonly id: string;
}

/** The contents of a record. */
export interface Content<F = unknown> {
  /** As parsed by the schema of the kind; optional fields that are missing have their default. */
  readonly fields: F;
  /** Does not include the institution, which every record references. */
  readonly references: readonly Reference[];
}

/**
 * The content of a record that is valid by itself, with problems about parts that have no effect, or everything that is wrong with it. Problems are
 * sentences.
 */
export type Judged<C extends Content = Content> =
  { readonly content: C; readonly ignored?: readonly string[] } | { readonly reason: string };

/** One kind of record, and how a line of it is validated by itself. */
export interface Kind<C extends Content = Content> {
  readonly name: string;
  /**
   * - `own` (default): each record has an `id`.
   * - `institution`: the record is the institution itself; its `id` equals its `institution_id`.
   * - `one`: each institution has at most one such record, identified by the institution's id; its lines have no `id`.
   */
  readonly identity?: 'own' | 'institution' | 'one';
  /**
   * Which lines of the kind keep their order when one of them has to wait: those of the same `record` (default) or of the same
   * `institution`.
   */
  readonly order?: 'record' | 'institution';
  /** Whether a record can be rejected because of another record. If so, live objects of an institution are processed in order. */
  readonly excludesOthers?: boolean;
  /** Whether its records never change: an equal line with a known id has no effect, and a different one is rejected. */
  readonly isAppendOnly?: boolean;
  /** The fields of a line, except those that every line has. */
  readonly schema: z.ZodType;
  judge(line: object): Judged<C>;
}

/** Returns the names of the fields that every line of a kind has. */
export function envelopeOf({ identity }: Pick<Kind, 'identity'>): readonly string[] {
  return ['kind', 'institution_id', ...(identity === 'one' ? [] : ['id']), 'deleted'];
}

/** The input of {@link defineKind}. */
export interface KindDefinition<F> extends Pick<Kind, 'name' | 'identity' | 'order' | 'excludesOthers' | 'isAppendOnly'> {
  /** Built from the field types of this package, whose problems follow the field's name: `must be …`. */
  readonly schema: z.ZodType<F>;
  /** Returns contradictions between the record's fields, as sentences. */
  readonly contradictions?: (fields: F) => readonly string[];
  /** Returns problems about parts of a valid record that have no effect, as sentences. */
  readonly ignored?: (fields: F) => readonly string[];
  readonly references?: (fields: F) => readonly Reference[];
}

/** Creates a kind whose lines are validated by a schema. */
export function defineKind<F>({ schema, contradictions, ignored, references, ...kind }: KindDefinition<F>): Kind<Content<F>> {
  // Takes half the time for valid lines. An invalid line is parsed again by the schema itself, which finds its problems.
  const compiled = z.compile(schema);
  return {
    ...kind,
    schema,
    judge(line) {
      const parsed = compiled.safeParse(line);
      if (!parsed.success) return { reason: joinedProblems(problemsOf(parsed.error)) };
      const problems = contradictions?.(parsed.data) ?? [];
      if (problems.length > 0) return { reason: joinedProblems(problems) };
      const content = { fields: parsed.data, references: references?.(parsed.data) ?? [] };
      return ignored === undefined ? { content } : { content, ignored: ignored(parsed.data) };
    },
  };
}
