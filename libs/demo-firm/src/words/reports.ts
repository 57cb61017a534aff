/** Texts that foremen write in daily reports, by trade. */
interface ReportWords {
  readonly materials: readonly string[];
  readonly deliveries: readonly string[];
  readonly comments: readonly string[];
  readonly subcontractors: readonly { readonly name: string; readonly work: string }[];
}

export const reportWords: Readonly<Record<'building' | 'civil', ReportWords>> = {
  building: {
    materials: [
      'Turmdrehkran, 8 Std.',
      '2 Rüttelflaschen, 1 Flügelglätter',
      'Rahmenschalung 120 m²',
      'Baustahlmatten Q257, 1,4 t',
      'Kalksandstein 17,5 cm, 6 Paletten',
      'Betonpumpe M36, 5 Std.',
    ],
    deliveries: ['Transportbeton C25/30, 32 m³', 'Bewehrungsstahl B500B, 3,2 t', 'Filigranplatten, 1 Sattelzug', 'Gerüstmaterial, 1 Lkw'],
    comments: [
      'Plan S-104 Index c fehlt noch, Rückfrage beim Statiker läuft.',
      'Betonage wegen Wind um zwei Stunden verschoben.',
      'Zufahrt am Vormittag durch Anlieger zugeparkt.',
      'Aussparungen Lüftung laut Haustechnik nachträglich geändert.',
      'Begehung mit der Berufsgenossenschaft, keine Beanstandungen.',
      'Baustrom zwischen 10:15 und 10:50 Uhr ausgefallen.',
    ],
    subcontractors: [
      { name: 'Gerüstbau Hofbauer GmbH', work: 'Gerüst Achse A umgesetzt' },
      { name: 'Eisenflechterei Petrović', work: 'Bewehrung Decke' },
      { name: 'Elektro Lang e. K.', work: 'Leerrohre in der Decke' },
      { name: 'Abdichtungstechnik Wenzl', work: 'Bitumenbahn Kellerwand' },
    ],
  },
  civil: {
    materials: [
      'Kettenbagger 22 t, 9 Std.',
      'Radlader, 6 Std.',
      'Rüttelplatte und Stampfer',
      'Verbauboxen, 4 Stück',
      'Tandemwalze 9 t, 4 Std.',
      'Frostschutz 0/45, 180 t',
    ],
    deliveries: ['Stahlbetonrohre DN 300, 24 m', 'Asphalttragschicht AC 22 TN, 96 t', 'Bordsteine, 8 Paletten', 'Schachtringe DN 1000'],
    comments: [
      'Unbekanntes Kabel bei Station 0+140 gefunden, Versorger verständigt.',
      'Grundwasser im Graben, Pumpe die ganze Nacht in Betrieb.',
      'Bus der Linie 6 fährt ab morgen die Umleitung.',
      'Boden Klasse 6 statt 4, Nachtrag angekündigt.',
      'Verdichtung geprüft: 103 %, in Ordnung.',
      'Anlieger Haus 14 über Sperrung der Einfahrt informiert.',
    ],
    subcontractors: [
      { name: 'Spezialtiefbau Kern AG', work: 'Spundwand gezogen' },
      { name: 'Asphaltbau Isartal GmbH', work: 'Fräsen Fahrbahn' },
      { name: 'Vermessung Brandl', work: 'Absteckung Achse' },
      { name: 'Fuhrunternehmen Öztürk', work: 'Aushub abgefahren' },
    ],
  },
};

/** The reason why a report was returned. */
export const returnReason = 'Bitte die Stunden des Nachunternehmens ergänzen.';
