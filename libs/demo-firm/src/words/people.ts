/** Names that are common on Bavarian construction sites, by origin, so that first and last names match. */
export interface NamePool {
  readonly male: readonly string[];
  readonly female: readonly string[];
  readonly last: readonly string[];
}

const words = (text: string): readonly string[] => text.trim().split(/\s+/u);

const german: NamePool = {
  male: words(`
    Andreas Alexander Armin Benedikt Benjamin Bernd Björn Christian Christoph Claus Daniel David Dennis Dieter Dominik Eberhard Elias Erik
    Fabian Felix Ferdinand Florian Frank Franz Georg Gerhard Günther Hannes Heiko Helmut Henning Holger Ingo Jakob Jan Jens Joachim Johannes
    Jonas Jörg Josef Julian Jürgen Kai Karl Kilian Klaus Konrad Korbinian Lars Leon Lorenz Lothar Ludwig Lukas Manfred Marcel Marco Markus
    Martin Matthias Maximilian Michael Moritz Nico Niklas Norbert Oliver Oskar Patrick Paul Peter Philipp Quirin Rainer Ralf Robert Robin
    Roland Rolf Rüdiger Sebastian Simon Stefan Steffen Sven Thomas Thorsten Tim Tobias Toni Ulrich Uwe Valentin Vinzenz Volker Werner
    Wolfgang Xaver`),
  female: words(`
    Alexandra Andrea Anja Anna Annette Antonia Barbara Beate Bettina Birgit Carina Caroline Christa Christina Claudia Cornelia Daniela Doris
    Elena Elisabeth Emma Eva Franziska Gabriele Hanna Heike Helena Ines Ingrid Jana Jasmin Johanna Judith Julia Karin Katharina Kerstin Klara
    Lea Lena Lisa Magdalena Maike Manuela Maria Marie Marlene Martina Melanie Miriam Monika Nadine Nina Petra Ramona Regina Rosa Sabine
    Sandra Sarah Silke Simone Sonja Sophia Stefanie Susanne Svenja Tanja Teresa Theresia Ulrike Ursula Verena Veronika Vera Walburga`),
  last: words(`
    Aigner Albrecht Angermeier Auer Bachmann Baier Bauer Baumann Baumgartner Beck Becker Berger Bergmann Biermann Böhm Brandl Brandt Braun
    Breitner Brunner Buchner Busch Christl Daxenberger Deml Dietl Dietrich Dorfner Ebner Eckert Eder Ehrl Eichinger Engel Ernst Fischer Fleischmann
    Forster Frank Franke Friedl Fröhlich Fuchs Gabler Geiger Geßner Götz Graf Greiner Groß Gruber Grünwald Günther Haas Häfner Hahn Hartmann
    Haslinger Heigl Heinrich Heller Hermann Herzog Hofbauer Hoffmann Hofmann Holzner Huber Jäger Jung Kaiser Kammermeier Karl Keller Kellner
    Kiefl Kirchberger Klein Kohlhuber Köhler König Köppl Kraus Krämer Kreuzer Kugler Lang Lechner Lehmann Lehner Lindner Löffler Lorenz Ludwig
    Maier Maurer Mayr Meier Meixner Meyer Moser Müller Neubauer Neumann Obermeier Ott Pfeiffer Pichler Pöllmann Popp Prechtl Probst Rauch
    Reiser Reiter Richter Riedl Ritter Rösch Roth Sailer Sauer Schäfer Scherer Schießl Schindler Schlosser Schmid Schmidt Schneider Schober
    Scholz Schreiner Schröder Schubert Schulz Schuster Schwarz Seidl Simon Sommer Stadler Stangl Steger Steiner Stelzer Stöckl Straßer
    Thaler Thoma Treiber Unger Vogel Vogt Wagner Walter Weber Weigert Weiß Werner Wiesner Wimmer Winkler Winter Wittmann Wolf Würdinger
    Zeitler Ziegler Zimmermann Zitzelsberger Zöllner`),
};

const turkish: NamePool = {
  male: words('Ahmet Ali Burak Cem Emre Erkan Fatih Hakan Halil Hüseyin İbrahim İsmail Kemal Mehmet Murat Mustafa Onur Orhan Serkan Yusuf'),
  female: words('Ayşe Aylin Elif Emine Esra Fatma Gülşen Hatice Melek Özlem Selin Şirin Yasemin Zeynep'),
  last: words(`
    Acar Akgün Aksoy Arslan Aydın Bulut Çelik Çetin Demir Doğan Erdoğan Güneş Kaplan Kara Kaya Keskin Kılıç Koç Kurt Öztürk Özdemir Polat
    Şahin Şimşek Taş Toprak Türk Ünal Yalçın Yavuz Yıldırım Yıldız Yılmaz`),
};

const polish: NamePool = {
  male: words(
    'Adam Andrzej Grzegorz Jacek Jarosław Kamil Krzysztof Łukasz Maciej Marcin Mariusz Michał Paweł Piotr Przemysław Sławomir Tomasz',
  ),
  female: words('Agnieszka Beata Dorota Ewa Grażyna Joanna Justyna Katarzyna Małgorzata Zofia'),
  last: words(`
    Adamczyk Bąk Dudek Duda Jabłoński Jóźwiak Kaczmarek Kołodziej Kowalczyk Krawczyk Król Łuczak Maciejak Marciniak Mazur Michalak Nowak
    Olszak Pająk Pawlak Pietrzak Sikora Stępień Szczepaniak Walczak Wieczorek Wilk Woźniak Wójcik Wróbel Zając Zięba`),
};

const southeastern: NamePool = {
  male: words('Ante Bogdan Damir Dragan Goran Ivan Josip Luka Marko Mihai Milan Nenad Petar Stjepan Tomislav Zoran Željko'),
  female: words('Ana Biljana Dragana Ivana Jelena Marija Mirjana Snežana Vesna Željka'),
  last: words(`
    Babić Blažević Bogdanović Đorđević Horvat Ilić Ivanović Jovanović Jurić Knežević Kovač Kovačević Marić Marković Matić Nikolić Novak
    Pavić Perić Petrović Popa Popescu Radu Stojanović Šarić Tomić Vuković Živković`),
};

const western: NamePool = {
  male: words('Antonio Carlo Domenico Giuseppe João José Luís Miguel Niall Patrick René Salvatore Seán'),
  female: words('Chiara Francesca Giulia Inês Lucía Maeve Siobhán Sofía'),
  last: words(`
    Almeida Bianchi Conti Côrte-Real D'Angelo D'Amico Esposito Fernández Gallo Gonçalves Martínez McCarthy Núñez O'Brien O'Neill Peña Ricci
    Rossi Santos Silva`),
};

/** The pools by origin, which posts refer to. */
export const namePools = { german, turkish, polish, southeastern, western } as const;

export type Origin = keyof typeof namePools;

/** Surnames of companies and their owners. */
export const firmFamilies = words('Brückner Hartl Kastner Lindinger Oberhofer Pröll Rauscher Stöger Wallner Zellner');
