import type { Texts } from './translation.ts';

const letters = 'AaCcEeIiNnOoUuYySsZzDdGgLlRrTtHhKkWw';
/** Similar letters with accents: texts stay readable, and those without accents stand out. */
const accentedLetters = 'ÀàÇçÉéÎîÑñÖöÛûÝýŠšŽžĐđĞğĻļŘřŤťĤĥĶķŴŵ';

/** Matches parts that are not translated: placeholders, icons, code, settings, targets of links. */
const untranslatedPattern = /(\{\d+\}|\$\([\w~-]+\)|`[^`]+`|\]\([^)]*\)|#[\w.]+#|%[\w.-]+%)/;

/** How much longer than the English text a translation may be, as a share of its length. */
const maxGrowth = 0.4;

/**
 * Adds accents and brackets to a text, and makes it 40% longer. In the editor, texts without accents aren't translated,
 * and texts without a closing bracket are truncated.
 */
export function pseudolocalize(text: string): string {
  const accented = text
    .split(untranslatedPattern)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part.replaceAll(/[a-z]/gi, (letter) => accentedLetters[letters.indexOf(letter)] ?? letter),
    )
    .join('');
  const [, before = '', content = '', after = ''] = /^(\s*)(.*?)(\s*)$/s.exec(accented) ?? [];
  return `${before}⟦${content}${createPadding(Math.ceil(text.length * maxGrowth))}⟧${after}`;
}

/** Returns tildes that can be wrapped like words. */
const createPadding = (length: number): string => '~'.repeat(length).replace(/~{6}(?=~)/g, '$& ');

/** Translates all texts into the pseudo-language. */
export const pseudolocalizeTexts = (english: Texts): Texts =>
  Object.fromEntries(Object.entries(english).map(([key, text]) => [key, pseudolocalize(text)]));
