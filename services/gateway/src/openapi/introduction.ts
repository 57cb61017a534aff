/** What applies to all operations (spec, General conventions). */
export const INTRODUCTION = `Working time, absences and site documentation of an organization, for payroll offices and other integrations.

- **Token**: every request needs the header \`Authorization: Token <token>\`, except for this document, its page and the reference pages of exports. A token belongs to an account and sees what the account may see: department leaders see the employees of their own departments. Records that a token may not see do not exist for it.
- **Time**: datetimes are local time in Germany without a designator, \`2026-10-05T07:00:00\`; never append \`Z\` or an offset. Dates are \`2026-10-05\`.
- **Lists** are paginated: \`limit\` entries per page (default 100, at most 1000), starting at \`offset\`; \`next\` and \`previous\` are the addresses of the neighbouring pages. Parameters with several values separate them by \`|\`. Empty parameters count as absent, unknown ones are ignored.
- **Errors** of parameters and fields are reported together, as lists of messages by name; all other errors as \`{"detail": …}\`. Every response has an \`X-Request-Id\`; quote it when you ask for help.
- **Limits**: \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` (seconds) show how many requests are left; beyond the limit the response is 429 with \`Retry-After\`.
- Paths end with a slash. \`HEAD\` works wherever \`GET\` does; \`OPTIONS\` lists the methods of a path. Ids are UUIDs, accepted in any case and answered in lower case.`;
