import { jsonEquals } from '../../base/canonicalJson.ts';
import { type JsonValue, isJsonObject, stringify } from '../../base/json.ts';
import { type Message, createMessage } from '../../base/localize.ts';
import { applyEdits } from '../../base/textEdit.ts';
import { computeEdits } from '../../json/text/computeEdits.ts';
import { isJsonArray } from '../../json/text/copyOnWrite.ts';
import { type LosslessJson, parseLosslessJsonc } from '../../json/text/losslessJson.ts';
import { matchItems } from '../../json/text/matchItems.ts';
import { getNamedEntries } from '../namedEntries.ts';

/** Why a text is not valid JSON. */
export interface JsonFileFault {
  readonly code: 'syntax' | 'duplicate-key';
  readonly offset: number;
  readonly message: Message;
}

export interface ParsedJsonFile {
  readonly value: JsonValue;
  /** Returns the JSON with the positions of its values. Parses the text again if necessary. */
  locate(): LosslessJson;
}

/**
 * Parses the text of a file. Comments and trailing commas are allowed. It is fastest for texts that
 * {@link formatJsonFile} has written, which is most of them.
 */
export function parseJsonFile(text: string): ParsedJsonFile | { readonly fault: JsonFileFault } {
  const formattedValue = parseFormattedText(text);
  if (formattedValue !== undefined) {
    return { value: formattedValue, locate: () => parseLosslessJsonc(text) };
  }
  const parsed = parseWithPositions(text);
  return 'fault' in parsed ? parsed : { value: parsed.value, locate: () => parsed.json };
}

/** Texts with less indentation than this are never nested too deeply. */
const deepIndentation = ' '.repeat(100);

/**
 * Parses a text that is exactly as {@link formatJsonFile} writes it. Then it has no comments and no duplicate keys, and
 * `JSON.parse` keeps all its numbers. Returns `undefined` for any other text.
 */
function parseFormattedText(text: string): JsonValue | undefined {
  if (text.includes(deepIndentation)) {
    return undefined;
  }
  try {
    const value = JSON.parse(text) as JsonValue;
    return formatJsonFile(value) === text ? value : undefined;
  } catch (error) {
    // Texts that are nested too deeply cause a RangeError.
    if (error instanceof SyntaxError || error instanceof RangeError) {
      return undefined;
    }
    throw error;
  }
}

type FileWithPositions =
  | { readonly json: LosslessJson; readonly value: JsonValue }
  | { readonly fault: JsonFileFault };

function parseWithPositions(text: string): FileWithPositions {
  const json = parseLosslessJsonc(text);
  const { error, value } = json;
  const [duplicate] = json.duplicateMembers;
  if (error !== undefined) {
    return {
      fault: {
        code: 'syntax',
        offset: error.missingCommaAt ?? error.start,
        message: describeError(error),
      },
    };
  }
  if (value === undefined) {
    return {
      fault: { code: 'syntax', offset: 0, message: createMessage('The file is empty. Expected: JSON.') },
    };
  }
  if (duplicate !== undefined) {
    const message = createMessage(
      'Duplicate key {0}. Each key can occur only once.',
      stringify(duplicate.key),
    );
    return { fault: { code: 'duplicate-key', offset: duplicate.start, message } };
  }
  return { json, value };
}

function describeError({
  reason,
  unexpectedText,
  missingCommaAt,
}: NonNullable<LosslessJson['error']>): Message {
  if (reason === 'too-deep') {
    return createMessage('The JSON is nested too deeply.');
  }
  if (missingCommaAt !== undefined) {
    return createMessage('Invalid JSON. Expected a comma.');
  }
  return unexpectedText === ''
    ? createMessage('Invalid JSON. Something is missing here.')
    : createMessage(
        'Invalid JSON. Unexpected {0}.',
        unexpectedText.startsWith('"') ? unexpectedText : `"${unexpectedText}"`,
      );
}

/** Returns the text of a new file: indented with two spaces, with LF line endings and a final newline. */
export const formatJsonFile = (value: JsonValue): string => `${stringify(value, 2)}\n`;

/**
 * Edits the text of a file as little as possible until it represents another value: comments, layout, the order of
 * members and the notation of numbers are kept where nothing has changed.
 * @throws RangeError if the text is not JSON
 */
export function editJsonFile(text: string, value: JsonValue): string {
  const parsed = parseWithPositions(text);
  if ('fault' in parsed) {
    throw new RangeError('Only JSON can be edited');
  }
  return applyEdits(text, computeEdits(parsed.json, reuseParts(parsed.value, value)));
}

/**
 * Returns `after`, with parts that equal those of `before` replaced by the identical (`===`) values from `before`.
 * Entries with names are matched by name.
 */
export function reuseParts(before: JsonValue, after: JsonValue): JsonValue {
  if (jsonEquals(before, after)) {
    return before;
  }
  if (isJsonArray(before) && isJsonArray(after)) {
    return reuseItems(before, after);
  }
  return isJsonObject(before) && isJsonObject(after)
    ? Object.fromEntries(
        Object.entries(after).map(([name, member]) => [
          name,
          Object.hasOwn(before, name) ? reuseParts(before[name] ?? null, member) : member,
        ]),
      )
    : after;
}

function reuseItems(before: readonly JsonValue[], after: readonly JsonValue[]): readonly JsonValue[] {
  const entries = getNamedEntries(before);
  const newEntries = getNamedEntries(after);
  if (entries !== undefined && newEntries !== undefined) {
    return [...newEntries].map(([name, entry]) => {
      const previous = entries.get(name);
      return previous === undefined ? entry : reuseParts(previous, entry);
    });
  }
  const indexes = matchItems(before, after);
  const matched = new Set(indexes);
  return after.map((item, index) => {
    // An item without a match was probably edited in its place.
    const sameIndex = before.length === after.length && !matched.has(index) ? index : undefined;
    const previous = before[indexes[index] ?? sameIndex ?? -1];
    return previous === undefined ? item : reuseParts(previous, item);
  });
}
