/** A due date that never comes, so that one comparison covers what is due and what is not. */
export const NEVER = new Date('9999-12-31T00:00:00Z');
