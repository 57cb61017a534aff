import { isDeepStrictEqual } from 'node:util';
import { oneByOne, type Attempt, type OwnedKind, type Put } from '@stechuhr/ingest';
import { accepted, isStored, type Change, type Content, type Outcome } from '@stechuhr/ingest/kinds';
import type { EpochDay } from '@stechuhr/worktime';
import type { Form } from '../../domain/form.js';
import { bytesOfForm, refusalOfForms, type FormsSize } from '../../domain/form-size.js';
import { formKind, type FormLine } from '../../domain/lines/form-line.js';
import type { StoredForm } from '../form-port.js';
import type { Ports } from '../ports.js';
import type { Tenant } from '../tenant.js';

type Needs = Pick<Ports, 'forms' | 'events' | 'notifyOutbox'>;
type FormContent = Content<FormLine>;

/** The forms of an institution by id, without their fields. The map starts with the stored forms and is updated by the attempt. */
type Outlines = Map<string, { readonly validFrom: EpochDay | null; readonly bytes: number }>;

/** Returns how forms are stored. A form may change and move to another day, unless another form begins on that day. */
export function ownedForm(needs: Needs): OwnedKind<FormContent> {
  return { kinds: [formKind], begin: (changes) => begin(needs, changes) };
}

async function begin(needs: Needs, changes: readonly Change<FormContent>[]): Promise<Attempt<FormContent>> {
  const { forms, events, notifyOutbox } = needs;
  const present = new Map<string, Outlines>();
  for (const institutionId of new Set(changes.map((change) => change.institutionId)))
    present.set(institutionId, await readOutlines(forms, { institutionId }));
  const outlinesOf = (institutionId: string): Outlines => present.get(institutionId) ?? new Map();
  return oneByOne<FormContent, StoredForm>({
    load: (wanted) => forms.load(wanted),
    async write(change, stored) {
      const outlines = outlinesOf(change.institutionId);
      const outcome = await write(needs, change, { stored, outlines });
      if (outcome === accepted) outlines.set(change.id, outlineOf(change.content.fields));
      return outcome;
    },
    async remove({ institutionId, id }, stored) {
      const removed = await forms.remove({ institutionId }, stored, events.formConfigured({ institutionId }, id));
      notifyOutbox();
      return removed ? accepted : undefined;
    },
  })(changes);
}

async function readOutlines(forms: Needs['forms'], tenant: Tenant): Promise<Outlines> {
  return new Map((await forms.list(tenant)).flatMap((form) => (form.id === null ? [] : [[form.id, outlineOf(form)] as const])));
}

function outlineOf(form: Pick<Form, 'validFrom' | 'fields'>) {
  return { validFrom: form.validFrom, bytes: bytesOfForm(form) };
}

function sizeOf(outlines: Outlines): FormsSize {
  return { forms: outlines.size, bytes: [...outlines.values()].reduce((sum, { bytes }) => sum + bytes, 0) };
}

interface Present {
  readonly stored: StoredForm | undefined;
  readonly outlines: Outlines;
}

async function write(
  { forms, events, notifyOutbox }: Needs,
  change: Put<FormContent>,
  { stored, outlines }: Present,
): Promise<Outcome | undefined> {
  const { institutionId, id } = change;
  const { validFrom, fields } = change.content.fields;
  const after = { id, institutionId, validFrom, fields, sequence: change.sequence ?? stored?.sequence };
  const isSame = stored?.validFrom === validFrom && isDeepStrictEqual(stored.fields, fields);
  if (stored !== undefined && isStored(change, stored, isSame)) return accepted;
  const refusal = refusalOfForms(sizeOf(outlines), sizeOf(new Map(outlines).set(id, outlineOf(after))));
  // A later line of an import may free the room. Live objects are in the order in which they are meant to take effect.
  if (refusal !== undefined) return { kind: change.sequence === undefined ? 'unresolved' : 'rejected', reason: refusal };
  const event = events.formConfigured({ institutionId }, id);
  const written = await (stored === undefined
    ? forms.insert({ institutionId }, after, event)
    : forms.replace({ institutionId }, { before: stored, after }, isSame ? undefined : event));
  if (written === 'written') {
    notifyOutbox();
    return accepted;
  }
  if (written === 'foreign') return { kind: 'rejected', reason: 'id belongs to a record of another institution.' };
  return written === 'taken' ? whyTaken(outlines, change) : undefined;
}

/**
 * Returns why a form has to wait if its day belongs to another one: a later line, or a live object on its way in another replica, may move or
 * delete that form. Undefined if the conflict came from a concurrent write, which is detected when the forms are read again.
 */
function whyTaken(outlines: Outlines, { id, content }: Put<FormContent>): Outcome | undefined {
  const isTaken = [...outlines].some(([other, { validFrom }]) => other !== id && validFrom === content.fields.validFrom);
  return isTaken ? { kind: 'unresolved', reason: 'valid_from is that of another form of the institution.' } : undefined;
}
