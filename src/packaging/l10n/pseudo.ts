import type { Texts } from './translation.ts';

/** Similar letters with accents, so that texts stay readable, and those without accents stand out. */
const accents: Readonly<Record<string, string>> = Object.fromEntries(
  [...'AÀaàCÇcçEÉeéIÎiîNÑnñOÖoöUÛuûYÝyýSŠsšZŽzžDĐdđGĞgğLĻlļRŘrřTŤtťHĤhĥKĶkķWŴwŵ'.matchAll(/(.)(.)/gu)].map(
    ([, letter = '', accented = '']) => [letter, accented],
  ),
);

/** What stays as it is: placeholders, icons, code, settings, targets of links. */
const kept = /(\{\d+\}|\$\([\w~-]+\)|`[^`]+`|\]\([^)]*\)|#[\w.]+#|%[\w.-]+%)/;

/** How much longer than English a translation can be. */
const growth = 0.4;

/** Writes a text with accents in brackets, longer by 40 %: what has none isn't translated, or is cut. */
export function toPseudo(text: string): string {
  const accented = text
    .split(kept)
    .map((part, index) => (index % 2 === 1 ? part : [...part].map((char) => accents[char] ?? char).join('')))
    .join('');
  const [, before = '', words = '', after = ''] = /^(\s*)(.*?)(\s*)$/s.exec(accented) ?? [];
  return `${before}⟦${words}${createPadding(Math.ceil(text.length * growth))}⟧${after}`;
}

/** Returns tildes that can be wrapped like words. */
const createPadding = (length: number): string => '~'.repeat(length).replace(/~{6}(?=~)/g, '$& ');

/** Translates all texts into the pseudo-language. */
export const toPseudoTexts = (english: Texts): Texts =>
  Object.fromEntries(Object.entries(english).map(([key, text]) => [key, toPseudo(text)]));
