import type { VacationBalance } from '../directory.js';
import { setHundredthDays, type RowType } from './row-type.js';

/** A figure of the vacation balance at the end of the period: one row per employee. */
interface VacationFigure {
  readonly name: keyof VacationBalance;
  readonly title: string;
  readonly description: string;
}

const figures: readonly VacationFigure[] = [
  {
    name: 'granted',
    title: 'Urlaubsanspruch',
    description: 'Alle Urlaubstage, die bis zum Ende des Zeitraums gewährt wurden: genommene, verfallene und verbleibende.',
  },
  {
    name: 'taken',
    title: 'Urlaub genommen',
    description: 'Urlaubstage bis zum Ende des Zeitraums, soweit ein Anspruch sie deckt.',
  },
  {
    name: 'remaining',
    title: 'Resturlaub',
    description: 'Gewährte Urlaubstage, die am Ende des Zeitraums weder genommen noch verfallen sind.',
  },
  {
    name: 'expiring',
    title: 'Resturlaub mit Verfallsdatum',
    description: 'Der Teil des Resturlaubs, der verfällt, wenn er nicht rechtzeitig genommen wird.',
  },
];

/** What the absence rules come to at the end of the period, over all types of category vacation. */
export const vacationTypes: readonly RowType[] = figures.map(({ name, title, description }) => {
  const id = `vacation-${name}:days`;
  return {
    id,
    label: title,
    unit: 'days',
    title: `${title} (Tage)`,
    description,
    example: `types=${id}`,
    needs: ['vacation'],
    write(sheet, row, emit) {
      setHundredthDays(row, sheet.vacation[name]);
      emit(row);
    },
  };
});
