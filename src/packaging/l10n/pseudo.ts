import type { Texts } from './translation.ts';

const letters = 'AaCcEeIiNnOoUuYySsZzDdGgLlRrTtHhKkWw';
/** Similar letters with accents: texts stay readable, and those without accents stand out. */
const accentedLetters = 'ÀàÇçÉéÎîÑñÖöÛûÝýŠšŽžĐđĞğĻļŘřŤťĤĥĶķŴŵ';

/** What stays as it is: placeholders, icons, code, settings, targets of links. */
const kept = /(\{\d+\}|\$\([\w~-]+\)|`[^`]+`|\]\([^)]*\)|#[\w.]+#|%[\w.-]+%)/;

/** How much longer than English a translation can be. */
const growth = 0.4;

/** Writes a text with accents in brackets, longer by 40 %: what has none isn't translated, or is cut. */
export function toPseudo(text: string): string {
  const accented = text
    .split(kept)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part.replaceAll(/[a-z]/gi, (letter) => accentedLetters[letters.indexOf(letter)] ?? letter),
    )
    .join('');
  const [, before = '', words = '', after = ''] = /^(\s*)(.*?)(\s*)$/s.exec(accented) ?? [];
  return `${before}⟦${words}${createPadding(Math.ceil(text.length * growth))}⟧${after}`;
}

/** Returns tildes that can be wrapped like words. */
const createPadding = (length: number): string => '~'.repeat(length).replace(/~{6}(?=~)/g, '$& ');

/** Translates all texts into the pseudo-language. */
export const toPseudoTexts = (english: Texts): Texts =>
  Object.fromEntries(Object.entries(english).map(([key, text]) => [key, toPseudo(text)]));
