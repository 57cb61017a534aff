/** A construction project; the default organization works on the first six. */
export interface ProjectWords {
  readonly name: string;
  readonly address: string;
  readonly client: string;
}

export const firstProjects: readonly ProjectWords[] = [
  {
    name: 'Neubau Kindertagesstätte Lindenweg',
    address: 'Lindenweg 14, 93055 Regensburg',
    client: 'Zweckverband Kinderbetreuung Donautal',
  },
  { name: 'Wohnanlage Donaublick, Haus A–C', address: 'Uferstraße 3–7, 93059 Regensburg', client: 'Donautal Wohnbau eG' },
  { name: 'Kanalsanierung Ostviertel, 2. BA', address: 'Greflingerstraße, 93055 Regensburg', client: 'Wasserzweckverband Labertal' },
  { name: 'Parkhaus Klinikum Süd', address: 'Am Klinikpark 1, 93053 Regensburg', client: 'Klinikverbund Süd gGmbH' },
  { name: 'Ortsdurchfahrt Niederachdorf, Vollausbau', address: 'Hauptstraße, 93098 Mintraching', client: 'Landkreis Donau-Laber' },
  { name: 'Umbau Bürogebäude Maxhütte', address: 'Gewerbepark 22, 93142 Maxhütte-Haidhof', client: 'Hölzl Verwaltungs-GmbH & Co. KG' },
];

/** Parts from which further projects are composed. */
export const projectParts = {
  works: ['Neubau', 'Umbau', 'Sanierung', 'Erweiterung', 'Rohbau', 'Erschließung'],
  objects: [
    'Grundschule',
    'Feuerwehrhaus',
    'Mehrfamilienhaus',
    'Produktionshalle',
    'Pflegeheim',
    'Sporthalle',
    'Regenrückhaltebecken',
    'Baugebiet Süd',
    'Verbrauchermarkt',
    'Brücke St 2145',
    'Rathaus',
    'Wohnhaus mit Einliegerwohnung',
  ],
  streets: [
    'Ahornweg',
    'Bahnhofstraße',
    'Bergstraße',
    'Eichenallee',
    'Gartenstraße',
    'Industriestraße',
    'Kirchplatz',
    'Mühlbachweg',
    'Ringstraße',
  ],
  towns: [
    '84028 Landshut',
    '84307 Eggenfelden',
    '92224 Amberg',
    '92318 Neumarkt i. d. OPf.',
    '92421 Schwandorf',
    '92637 Weiden',
    '93333 Neustadt a. d. Donau',
    '93413 Cham',
    '94315 Straubing',
    '94469 Deggendorf',
  ],
  clients: [
    'Donautal Wohnbau eG',
    'Gemeindewerke Oberland',
    'Immobilien Röhrl & Partner mbB',
    'Landkreis Donau-Laber',
    'Privatbauherrschaft',
    'Straßenbauamt Ost',
    'Wasserzweckverband Labertal',
  ],
} as const;

/** Colours of projects in plans and calendars. */
export const projectColors = ['#2f6fb0', '#c8553d', '#588157', '#8e6c8a', '#e09f3e', '#6c757d', '#1b998b', '#9a031e'] as const;
