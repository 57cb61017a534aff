import { formatLocalDate, formatLocalDateTime } from '@stechuhr/worktime';
import { parsed, type Modifier, type StageChange } from './modifier.js';
import type { Stage, TextStage } from './stage.js';

/** Converts the local time `YYYY-MM-DDTHH:mm:ss` to another format. */
type Form = (iso: string) => string;

const german: Form = (iso) => `${iso.slice(8, 10)}.${iso.slice(5, 7)}.${iso.slice(0, 4)}`;
const international: Form = (iso) => iso.slice(0, 10);

const TOKEN = /YYYY|YY|MM|M|DD|D|HH|mm|ss/g;

const tokens: Readonly<Record<string, Form>> = {
  YYYY: (iso) => iso.slice(0, 4),
  YY: (iso) => iso.slice(2, 4),
  MM: (iso) => iso.slice(5, 7),
  M: (iso) => String(Number(iso.slice(5, 7))),
  DD: (iso) => iso.slice(8, 10),
  D: (iso) => String(Number(iso.slice(8, 10))),
  HH: (iso) => iso.slice(11, 13),
  mm: (iso) => iso.slice(14, 16),
  ss: (iso) => iso.slice(17, 19),
};

function pattern(text: string): Form | undefined {
  if (text === '') return undefined;
  return (iso) => text.replace(TOKEN, (token) => tokens[token]?.(iso) ?? token);
}

function isoReader(stage: Stage): ((row: Parameters<TextStage['read']>[0]) => string) | undefined {
  if (stage.kind === 'moment') {
    return (row) => {
      const moment = stage.read(row);
      return moment === null ? '' : formatLocalDateTime(moment);
    };
  }
  if (stage.kind !== 'day') return undefined;
  return (row) => {
    const day = stage.read(row);
    return day === null ? '' : `${formatLocalDate(day)}T00:00:00`;
  };
}

function inForm(form: Form): StageChange {
  return (stage) => {
    const read = isoReader(stage);
    if (read === undefined) return undefined;
    return {
      kind: 'text',
      printedNumber: false,
      read: (row) => {
        const iso = read(row);
        return iso === '' ? '' : form(iso);
      },
    };
  };
}

const forms: Readonly<Record<string, Form>> = { de: german, iso: international };

/** Modifiers of dates and local times. */
export const dateModifiers: readonly Modifier[] = [
  parsed(
    'date',
    { parse: (text) => (Object.hasOwn(forms, text) ? forms[text] : undefined), expected: '"de" or "iso"' },
    {
      title: 'Datum',
      description: 'Datum als TT.MM.JJJJ (de) oder JJJJ-MM-TT (iso).',
      example: 'columns=last-name|date:date>de&types=workday:hours',
    },
    inForm,
  ),
  parsed(
    'format',
    { parse: pattern, expected: 'a pattern of YYYY YY MM M DD D HH mm ss' },
    {
      title: 'Muster',
      description: 'Datum und Uhrzeit nach einem Muster aus YYYY YY MM M DD D HH mm ss.',
      example: 'columns=last-name|start:format>D.M.YY HH%3Amm&types=workday:hours',
    },
    inForm,
  ),
];
