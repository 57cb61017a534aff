/** A due date that is never reached, so that due and other documents can be told apart with one comparison. */
export const NEVER = new Date('9999-12-31T00:00:00Z');
