import type { dailyReportsV1 } from '@stechuhr/contracts';

/** The fields of a stored entry of daily-reports that a list shows. */
export interface EntryFields {
  readonly _id: string;
  readonly institution_id: string;
  readonly tag_id: string;
  readonly date: number;
  readonly sequence: number;
  readonly field_id: string;
  readonly group: string;
  readonly author_id: string | null;
  readonly on_behalf_of_id: string | null;
  readonly burned: boolean;
  readonly submitted_at: Date | null;
  readonly created_at: Date;
  readonly modified_at: Date;
  readonly value: { readonly type: string };
}

/** Converts a document to a message, without fields that are not in the document: names, and the number of versions. */
export function toEntry(document: EntryFields): dailyReportsV1.Entry {
  const { type, ...value } = document.value;
  const $case = type === 'employee-working-times' ? 'employeeWorkingTimes' : type;
  return {
    id: document._id,
    groupId: document.group,
    groupCount: 1,
    fieldId: document.field_id,
    type,
    date: document.date,
    tagId: document.tag_id,
    authorId: document.author_id ?? undefined,
    authorName: undefined,
    onBehalfOfId: document.on_behalf_of_id ?? undefined,
    onBehalfOfName: undefined,
    burned: document.burned,
    submittedAt: secondOf(document.submitted_at ?? undefined),
    createdAt: secondOf(document.created_at) ?? 0,
    modifiedAt: secondOf(document.modified_at) ?? 0,
    // Stored values have the same fields as their messages.
    value: { value: { $case, value: present(value) } as unknown as NonNullable<dailyReportsV1.EntryValue['value']> },
  };
}

function secondOf(date: Date | undefined): number | undefined {
  return date && Math.floor(date.getTime() / 1000);
}

function present(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null));
}
