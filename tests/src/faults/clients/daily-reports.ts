import { outcomeOf, type Client } from './client-tools.js';

/** Runs autofill for reports, once for each day. */
export const autofill: Client = {
  name: 'autofill',
  start({ slot, history, ask }) {
    let count = 0;
    return async () => {
      const date = slot.days[count++ % slot.days.length] ?? '';
      const key = `${slot.project}|${date}`;
      const answer = await ask('autofill', 'daily-reports/reports/autofill/', { method: 'POST', body: { tag: slot.project, date } });
      const outcome = outcomeOf(answer);
      history.write({ kind: 'autofill', key, value: 'filled', outcome, id: key });
      return outcome === 'acknowledged';
    };
  },
};

interface Form {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Requests upload forms and uploads photos with them. */
export const photos: Client = {
  name: 'photos',
  start({ slot, history, ask }) {
    return async () => {
      const body = { filename: 'a.jpg', filetype: 'image/jpeg', filesize: slot.word.length };
      const answer = await ask('photos', 'daily-reports/entries/upload-photo-token/', { method: 'POST', body });
      if (outcomeOf(answer) !== 'acknowledged') return false;
      const form = answer?.json as Form;
      const key = form.fields['key'] ?? '';
      const outcome = await upload(form, slot.word);
      history.write({ kind: 'photo', key, value: outcome === 'refused' ? null : 'there', outcome, id: photoOf(key) });
      return outcome === 'acknowledged';
    };
  },
};

/** Returns the id of a photo, which is part of its key. */
export const photoOf = (key: string): string => /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=[^/]*$)/.exec(key)?.[0] ?? key;

async function upload({ url, fields }: Form, content: string): Promise<'acknowledged' | 'refused' | 'unknown'> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([content], { type: 'image/jpeg' }), 'a.jpg');
  // The timeout is the same as in the apps.
  const answer = await fetch(url, { method: 'POST', body: form, signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
  if (answer === undefined || answer.status >= 500) return 'unknown';
  return answer.ok ? 'acknowledged' : 'refused';
}
