import { createHash } from 'node:crypto';

/**
 * Converts names to names of files and folders. A *stem* is the name of a folder, or that of a file without its suffix.
 * Stems are valid on Windows, on Unix, and for git. Characters that some system rejects, hides or confuses are
 * percent-encoded.
 */

/** The longest stem, in bytes of UTF-8. With a suffix, it stays below the 255 that file systems allow. */
const maxStemBytes = 150;

/** The possible numbers of hex digits in a hashed stem. The longer ones are used only if shorter hashes collide. */
const hashLengths = [8, 16, 64] as const;

/** The ends of file names in a project. */
const projectSuffixes = [
  '.datamodel.json',
  '.dataset.json',
  '.table.json',
  '.datamodel.sql',
  '.relation.json',
  '.rules.json',
  '.viewpoint.json',
  '.custom-data.json',
] as const;
/** The end of the name of an item's file. */
export type ProjectSuffix = (typeof projectSuffixes)[number];

/**
 * Characters that are encoded wherever they are: reserved by Windows or Unix; `%`, which starts an encoded character;
 * `~`, which starts a hash and marks short names on Windows; control characters; surrogates without a partner;
 * noncharacters; and invisible characters, which some systems ignore when they compare names.
 */
const unsafeCharacter =
  /["*/:<>?\\|%~\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\u{ad}\u{61c}\u{180e}\u{200b}-\u{200f}\u{2028}-\u{202e}\u{2060}-\u{206f}\u{feff}\u{fff9}-\u{fffb}\u{e0000}-\u{e007f}]/u;

/** A combining character: after an encoded character, it would combine with the last digit. */
const combiningMark = /^\p{M}/u;

/** The names that Windows reserves, whatever follows after a dot. */
const reservedName =
  /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|com[\d\u{b9}\u{b2}\u{b3}]|lpt[\d\u{b9}\u{b2}\u{b3}])(?= *(?:\.|$))/iu;

/** Stands for an empty name. No other stem has a percent sign without hex digits. */
const emptyStem = '%';

/**
 * The names in a stem: a single one, or table and column of a rule, or table and column at each end of a relation. The
 * outer list is joined by ` - `, the inner ones by `.`.
 */
export type StemNames = readonly (readonly string[])[];

/**
 * Encodes names as a stem of any length: `Orders.Customer Id - Customers.Customer Id`. Different names may have the
 * same stem if they differ in their normalization or contain the separators.
 */
function encodeNames(names: StemNames): string {
  const stem = names
    .map((group) => group.map((name) => encodeCharacters(name.normalize('NFC'))).join('.'))
    .join(' - ');
  return stem === '' ? emptyStem : encodeEnds(stem);
}

function encodeCharacters(text: string): string {
  if (!unsafeCharacter.test(text)) {
    return text;
  }
  let encoded = '';
  let mustEncode = false;
  for (const character of text) {
    mustEncode = unsafeCharacter.test(character) || (mustEncode && combiningMark.test(character));
    encoded += mustEncode ? percentEncode(character) : character;
  }
  return encoded;
}

/** Encodes characters that are not allowed at the beginning or the end of a name, and reserved names. */
function encodeEnds(text: string): string {
  const stem = text
    .replace(reservedName, (word) => `${percentEncode(word.slice(0, 1))}${word.slice(1)}`)
    .replace(/^[. ](\p{M}*)/u, (ends) => Array.from(ends, percentEncode).join(''))
    .replace(/[. ]+$/u, (ends) => Array.from(ends, percentEncode).join(''));
  // The name of a table's folder must not look like that of a file.
  const folded = foldPath(stem);
  return projectSuffixes.some((suffix) => folded.endsWith(suffix))
    ? stem.replace(/\.(?=[^.]*$)/u, percentEncode)
    : stem;
}

/**
 * Encodes the UTF-8 bytes of a character. Half a surrogate pair, which UTF-8 cannot represent, is encoded in the same
 * way.
 */
function percentEncode(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const bytes =
    code >= 0xd800 && code <= 0xdfff
      ? [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)]
      : [...new TextEncoder().encode(character)];
  return bytes.map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}

/**
 * Returns the name from which a stem was created; `undefined` if that can't be determined, because the stem has a hash
 * or is not one that {@link getPlainStem} returns.
 */
export function decodeStem(stem: string): string | undefined {
  const composed = stem.normalize('NFC');
  const name = composed === emptyStem ? '' : percentDecode(composed);
  return name !== undefined && getPlainStem([[name]]) === composed ? name : undefined;
}

function percentDecode(text: string): string | undefined {
  let isValid = true;
  const decoded = text.replaceAll(/(?:%[0-9A-F]{2})+/g, (run) => {
    const bytes = run
      .slice(1)
      .split('%')
      .map((digits) => Number.parseInt(digits, 16));
    const characters = decodeBytes(bytes);
    isValid &&= characters !== undefined;
    return characters ?? '';
  });
  return isValid ? decoded : undefined;
}

/** Decodes UTF-8 that may also have encoded surrogates; `undefined` if the bytes aren't valid. */
function decodeBytes(bytes: readonly number[]): string | undefined {
  let text = '';
  for (let index = 0; index < bytes.length; ) {
    const first = bytes[index] ?? 0;
    const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    const leadingBits = length === 1 ? first : first & (0xff >> (length + 1));
    const code = bytes
      .slice(index + 1, index + length)
      .reduce((value, byte) => (value << 6) | (byte & 0x3f), leadingBits);
    if (index + length > bytes.length || code > 0x10ffff) {
      return undefined;
    }
    text += String.fromCodePoint(code);
    index += length;
  }
  return text;
}

/**
 * Returns the stem of names without a hash; `undefined` if it needs one: it would be too long, or the names could not
 * be read from it because they are not normalized.
 */
export function getPlainStem(names: StemNames): string | undefined {
  const stem = encodeNames(names);
  return Buffer.byteLength(stem) <= maxStemBytes &&
    names.every((group) => group.every((name) => name === name.normalize('NFC')))
    ? stem
    : undefined;
}

/** Returns the stems of names with a hash appended, from the shortest to the longest hash. */
export function getHashedStems(names: StemNames): readonly string[] {
  const digest = createHash('sha256').update(JSON.stringify(names)).digest('hex');
  const stem = encodeNames(names);
  return hashLengths.map(
    (length) => `${cutStem(stem, maxStemBytes - 1 - length)}~${digest.slice(0, length)}`,
  );
}

/** Cuts a stem to a number of bytes of UTF-8, between characters or encoded bytes (a cut stem is never decoded). */
function cutStem(stem: string, maxBytes: number): string {
  let bytes = 0;
  let end = 0;
  for (const [token] of stem.matchAll(/%[0-9A-F]{2}|./gsu)) {
    bytes += Buffer.byteLength(token);
    if (bytes > maxBytes) {
      break;
    }
    end += token.length;
  }
  return stem.slice(0, end);
}

/**
 * Folds a path or a stem: those that some system considers equal are the same when folded. The text is lowercased
 * before it is uppercased, because only that order maps both forms of the sharp s to `SS`.
 */
export const foldPath = (stem: string): string =>
  asciiPattern.test(stem)
    ? stem.toLowerCase()
    : stem.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().normalize('NFC');

/** Matches texts whose letters have one lowercase form, and which are normalized. */
const asciiPattern = /^[ -~]*$/;

/**
 * Assigns a stem to each of several names in one folder. Names whose stems fold to the same text all get a hash, so the
 * result does not depend on the order of the names.
 * @param names the names, by an ID that the caller chooses
 * @param occupied the folded stems that are already in use
 */
export function assignStems(
  names: ReadonlyMap<string, StemNames>,
  occupied: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const stems = new Map<string, string>();
  let remaining: readonly string[] = [...names.keys()];
  for (let attempt = 0; attempt <= hashLengths.length && remaining.length > 0; attempt += 1) {
    const isLastAttempt = attempt === hashLengths.length;
    const candidates = new Map(
      remaining.map((id) => {
        const ownNames = names.get(id) ?? [];
        return [id, attempt === 0 ? getPlainStem(ownNames) : getHashedStems(ownNames)[attempt - 1]];
      }),
    );
    const counts = new Map<string, number>();
    for (const stem of candidates.values()) {
      if (stem !== undefined) {
        counts.set(foldPath(stem), (counts.get(foldPath(stem)) ?? 0) + 1);
      }
    }
    remaining = remaining.filter((id) => {
      const stem = candidates.get(id);
      const isFree = stem !== undefined && counts.get(foldPath(stem)) === 1 && !occupied.has(foldPath(stem));
      if (stem !== undefined && (isFree || isLastAttempt)) {
        stems.set(id, stem);
      }
      return !isFree;
    });
  }
  return stems;
}
