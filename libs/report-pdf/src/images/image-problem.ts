/** Reasons why a picture is not shown, with the text that is printed in its place. */
export const PROBLEMS = {
  missing: 'Foto nicht vorhanden',
  unreachable: 'Foto nicht abrufbar',
  late: 'Foto nicht rechtzeitig geladen',
  heavy: 'Datei zu groß',
  large: 'Bild hat zu viele Bildpunkte',
  unsupported: 'Bildformat nicht darstellbar',
  broken: 'Bilddatei beschädigt',
  many: 'Nicht gezeigt: zu viele Fotos',
} as const;

export type Problem = keyof typeof PROBLEMS;

/** A picture cannot be shown; the report continues without it. */
export class ImageProblem extends Error {
  override readonly name = 'ImageProblem';

  constructor(
    readonly problem: Problem,
    options?: ErrorOptions,
  ) {
    super(PROBLEMS[problem], options);
  }
}
