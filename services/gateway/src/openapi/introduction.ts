/** What holds for all operations (spec, General conventions). */
export const INTRODUCTION = `Working time, absences and site documentation of an organization, for payroll offices and other integrations.

- **Token**: every request carries \`Authorization: Token <token>\`, but this document, its page and the reference pages of exports. A token belongs to an account and sees what the account may see: a department leader the employees of the own departments. What a token may not see does not exist for it.
- **Time**: datetimes are local time in Germany without designator, \`2026-10-05T07:00:00\`; never append \`Z\` or an offset. Dates are \`2026-10-05\`.
- **Lists** come in pages of \`limit\` (100 unless told, at most 1000) entries from \`offset\` on; \`next\` and \`previous\` are the addresses of the neighbour pages. Parameters of several values separate them by \`|\`. An empty parameter counts as not given, unknown ones are ignored.
- **Errors** of single parameters or fields come together, as lists of messages by name; all others as \`{"detail": …}\`. Every answer carries \`X-Request-Id\`; quote it when you ask for help.
- **Limits**: \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` (seconds) say how many requests are left; beyond them the answer is 429 with \`Retry-After\`.
- Paths end with a slash. \`HEAD\` works wherever \`GET\` does, \`OPTIONS\` says which methods a path has. Ids are UUIDs in any case, answered in lower case.`;
