import { describe, expect, it } from '@jest/globals';
import { typefaceFor } from './typeface.js';

describe('typefaceFor', () => {
  it('embeds nothing where WinAnsi suffices', () => {
    const typeface = typefaceFor(['Grüße „Ä“ – 12 €', 'Œuvre, naïve Señora']);
    expect(typeface.embedded).toBe(false);
    expect(typeface.runs('Größe', 'bold')).toEqual([{ text: 'Größe', font: 'bold' }]);
  });

  it.each(['Łukasz', 'Ayşe', 'İbrahim', 'Кладка', 'Ελλάδα', '中'])('embeds for %s', (name) => {
    expect(typefaceFor(['Weber', name]).embedded).toBe(true);
  });

  it('draws pictures with a font of their own, and letters with the standard ones', () => {
    const typeface = typefaceFor(['Fertig 👍🏽, Gruß']);
    expect(typeface.embedded).toBe(false);
    expect(typeface.runs('Fertig 👍🏽, Gruß', 'regular')).toEqual([
      { text: 'Fertig ', font: 'regular' },
      { text: '👍🏽', font: 'emoji' },
      { text: ', Gruß', font: 'regular' },
    ]);
  });

  it('keeps joined pictures, flags and keys whole', () => {
    const typeface = typefaceFor(['👷‍♂️🇩🇪1️⃣']);
    expect(typeface.runs('👷‍♂️🇩🇪1️⃣', 'bold')).toEqual([{ text: '👷‍♂️🇩🇪1️⃣', font: 'emoji' }]);
  });

  it('leaves characters that letters know to letters', () => {
    expect(typefaceFor(['™️ ©']).runs('™️ ©', 'regular')).toEqual([{ text: '™ ©', font: 'regular' }]);
  });

  it('shows the plain form or a box instead of leaving something out', () => {
    const typeface = typefaceFor(['Ａ𝐁 中ł']);
    expect(typeface.runs('Ａ𝐁 中ł', 'regular')).toEqual([{ text: 'AB □ł', font: 'regular' }]);
  });
});
