import { getPlaceholders } from './extractTexts.ts';

/** Texts by key: in a bundle the English text, in `package.nls.json` a name. */
export type Texts = Readonly<Record<string, string>>;

/**
 * Parses a file of texts. If the file has merge conflicts, the result has the texts of both sides, since each text is
 * on a line of its own. Texts that are no longer used are removed later.
 */
export const parseTexts = (json: string): Texts =>
  JSON.parse(json.replaceAll(/^(?:<{7}|\|{7}|={7}|>{7}).*\n/gm, '')) as Texts;

/** Returns the bundle of English texts, which are their own keys. */
export const createEnglishBundle = (texts: readonly string[]): Texts =>
  Object.fromEntries(texts.map((text) => [text, text]));

/** How a translation differs from the texts that it translates. */
export interface TranslationState {
  /** The keys without a translation. */
  readonly missingKeys: readonly string[];
  /** The keys of translations that nothing uses anymore. */
  readonly superfluousKeys: readonly string[];
  /** What is wrong with a translation, with its key. */
  readonly problems: readonly string[];
}

/** Compares a translation with the English texts. */
export function checkTranslation(english: Texts, translated: Texts): TranslationState {
  const keys = Object.keys(english);
  return {
    missingKeys: keys.filter((key) => !Object.hasOwn(translated, key)),
    superfluousKeys: Object.keys(translated).filter((key) => !Object.hasOwn(english, key)),
    problems: keys.flatMap((key) => {
      const translation = getText(translated, key);
      return translation === undefined
        ? []
        : findDifferences(english[key] ?? '', translation).map((problem) => `"${key}": ${problem}`);
    }),
  };
}

/** Returns the text of a key; keys may have the names of properties that every object has. */
const getText = (texts: Texts, key: string): string | undefined =>
  Object.hasOwn(texts, key) ? texts[key] : undefined;

/**
 * The parts that a translation must have in common with the English text, and how to find them. Their order is free.
 */
const keptParts: readonly (readonly [name: string, find: (text: string) => readonly string[]])[] = [
  ['placeholders', getPlaceholders],
  ['numbers', (text) => text.match(/(?<![\d{])\d+(?![\d}])/g) ?? []],
  ['icons', (text) => text.match(/\$\([\w~-]+\)/g) ?? []],
  ['link targets', (text) => text.match(/(?<=\]\()[^)\s]+(?=\))/g) ?? []],
  ['settings', (text) => text.match(/(?<!`)#[\w.]+#(?!`)/g) ?? []],
  ['code', (text) => text.match(/`[^`]+`/g) ?? []],
  ['line breaks', (text) => text.match(/\n/g) ?? []],
  ['emphasis', (text) => text.match(/\*+/g) ?? []],
  ['ellipses', (text) => text.match(/…/g) ?? []],
  ['outer spaces', (text) => [/^\s*/, /\s*$/].map((pattern) => pattern.exec(text)?.[0] ?? '')],
];

function findDifferences(english: string, translation: string): readonly string[] {
  if (translation.trim() === '') {
    return ['it is empty'];
  }
  return keptParts.flatMap(([name, find]) => {
    const expected = [...find(english)].sort().join(' ');
    const found = [...find(translation)].sort().join(' ');
    return found === expected
      ? []
      : [`the ${name} are ${found || 'missing'} instead of ${expected || 'none'}`];
  });
}

/** Orders a translation like the English texts, and leaves out the keys that these no longer contain. */
export const orderTranslation = (english: Texts, translated: Texts): Texts =>
  Object.fromEntries(
    Object.keys(english).flatMap((key) => {
      const translation = getText(translated, key);
      return translation === undefined ? [] : [[key, translation]];
    }),
  );
