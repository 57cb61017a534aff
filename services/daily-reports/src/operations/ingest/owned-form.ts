import { isDeepStrictEqual } from 'node:util';
import { oneByOne, type OwnedKind, type Put } from '@stechuhr/ingest';
import { accepted, isKnown, type Content, type Outcome } from '@stechuhr/ingest/kinds';
import { formKind, type FormLine } from '../../domain/lines/form-line.js';
import type { StoredForm } from '../form-port.js';
import type { Ports } from '../ports.js';

type Needs = Pick<Ports, 'forms' | 'events' | 'notifyOutbox'>;
type FormContent = Content<FormLine>;

/** How forms are stored: a form may change and move to another day, as long as no other begins on it. */
export function ownedForm(needs: Needs): OwnedKind<FormContent> {
  const { forms, events, notifyOutbox } = needs;
  return {
    kind: formKind,
    begin: oneByOne<FormContent, StoredForm>({
      load: (changes) => forms.load(changes),
      write: (change, stored) => write(needs, change, stored),
      async remove({ institutionId, id }, stored) {
        const removed = await forms.remove({ institutionId }, stored, events.formConfigured({ institutionId }, id));
        notifyOutbox();
        return removed ? accepted : undefined;
      },
    }),
  };
}

async function write(
  { forms, events, notifyOutbox }: Needs,
  change: Put<FormContent>,
  stored: StoredForm | undefined,
): Promise<Outcome | undefined> {
  const { institutionId, id } = change;
  const { validFrom, fields } = change.content.fields;
  const after = { id, institutionId, validFrom, fields, sequence: change.sequence ?? stored?.sequence };
  const isSame = stored?.validFrom === validFrom && isDeepStrictEqual(stored.fields, fields);
  if (stored !== undefined && isSame && isKnown(change, stored)) return accepted;
  const event = events.formConfigured({ institutionId }, id);
  const written = await (stored === undefined
    ? forms.insert({ institutionId }, after, event)
    : forms.replace({ institutionId }, { before: stored, after }, isSame ? undefined : event));
  if (written === 'written') {
    notifyOutbox();
    return accepted;
  }
  if (written === 'foreign') return { kind: 'rejected', reason: 'id belongs to a record of another institution.' };
  return written === 'taken' ? whyTaken(forms, change) : undefined;
}

/** Either the day belongs to another form, or this form was stored concurrently. */
async function whyTaken(forms: Needs['forms'], { institutionId, id, content }: Put<FormContent>): Promise<Outcome | undefined> {
  const others = await forms.list({ institutionId });
  const isTaken = others.some((form) => form.id !== id && form.validFrom === content.fields.validFrom);
  return isTaken ? { kind: 'rejected', reason: 'valid_from is that of another form of the institution.' } : undefined;
}
