/** The content of the report. Every variant has to contain all of it. */
export const content = {
  organization: 'Hochbau Brandstätter GmbH',
  title: 'Tagesbericht',
  status: 'Eingereicht',
  project: {
    name: 'Neubau Kindertagesstätte Sonnenhügel',
    code: 'P-2026-014',
    address: 'Lindenallee 12, 80331 München',
    client: 'Stadt München',
  },
  date: '2026-10-21',
  dateText: '21.10.2026',
  weather: [
    { time: '07:00', word: 'Bewölkt', icon: 'cloudy', temperature: 6.5, temperatureText: '6,5' },
    { time: '12:00', word: 'Sonnig', icon: 'sunny', temperature: 14, temperatureText: '14' },
    { time: '17:00', word: 'Niederschlag', icon: 'precipitation', temperature: 9.5, temperatureText: '9,5' },
  ] as const,
  workers: Array.from({ length: 14 }, (_, index) => ({
    name: `Anna-Lena Schäfer ${(index + 1).toString()}`,
    position: ['Polier', 'Maurerin', 'Zimmerer'][index % 3] ?? '',
    hours: 6 + (index % 9) / 4,
    hoursText: (6 + (index % 9) / 4).toFixed(2).replace('.', ','),
  })),
  activities: Array.from({ length: 8 }, (_, index) => ({
    text: `Abschnitt ${(index + 1).toString()}: Mauerwerk im Erdgeschoss hochgezogen, Stürze gesetzt und die Schalung der Decke gestellt.`,
    person: `Jürgen Öttl ${(index + 1).toString()}`,
  })),
  remarks: 'Die Betonlieferung kam um 45 Minuten zu spät, weil die Zufahrt blockiert war. '.repeat(6).trim(),
  signers: ['Jonas Weber', 'Sabine Groß', 'Dr. Eva Hollerbach'],
  photoTimes: ['08:05', '09:10', '10:15', '11:20', '13:25', '14:30'],
};

/** Returns all texts that the file has to contain. */
export function expectedTexts(): readonly string[] {
  const { organization, title, status, project, dateText, weather, workers, activities, remarks, signers, photoTimes } = content;
  return [
    ...[organization, title, status, dateText, remarks, ...Object.values(project), ...signers, ...photoTimes],
    ...weather.flatMap(({ time, word, temperatureText }) => [time, word, temperatureText]),
    ...workers.flatMap(({ name, position, hoursText }) => [name, position, hoursText]),
    ...activities.flatMap(({ text, person }) => [text, person]),
    'Seite 1 von',
  ];
}
