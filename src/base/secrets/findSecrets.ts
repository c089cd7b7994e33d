import { type JsonValue, isJsonObject, stringify } from '../json.ts';
import { findAssignedSecrets } from './assignments.ts';
import { type JsonLeaf, parseJsonContainer, findSecretRangesInJson } from './jsonSecrets.ts';
import { type SecretRange, mergeRanges, getWholeTextRanges } from './mask.ts';
import { findMarkupPairs } from './markupPairs.ts';
import {
  type Certainty,
  isConnectorSettingsName,
  isEncryptedTextName,
  isPublicInsideSecret,
  isSecretByName,
  isPossibleSecretName,
  isConnectionStringName,
} from './secretName.ts';
import { findSecretsByPattern, findSqlPlusPasswords } from './secretPatterns.ts';

/** The position of a value in a document, as far as it matters for whether the value is secret. */
export interface SecretContext {
  /**
   * True if the value may be secret: it is part of the settings of a connector, or of JSON in a text that is searched.
   * Nothing else in a document is secret.
   */
  readonly isSearched: boolean;
  /** The key of the value, or of the nearest enclosing member, or the name from a pair (`{"name": …, "value": …}`). */
  readonly name: string;
  /**
   * True if an enclosing value has a secret name. Then the value is secret too, unless its own name shows that it is
   * public.
   */
  readonly isInsideSecret: boolean;
}

/** The context of a whole document, in which only some parts are settings of a connector. */
export const documentContext: SecretContext = {
  isSearched: false,
  name: '',
  isInsideSecret: false,
};
/** The context of a dataset connection, or of anything inside one. */
export const connectorContext: SecretContext = {
  isSearched: true,
  name: 'connection',
  isInsideSecret: false,
};

const pairNameKeys =
  /^(key|name|property|parameter|param|option|header|attribute|setting|id|field|label|title)$/i;
const pairValueKeys = /^(value|val|content|default|defaultvalue)$/i;

/** Returns the context of a member or an item of a value. */
export function getMemberContext(
  parentContext: SecretContext,
  value: JsonValue,
  step: string | number,
): SecretContext {
  if (Array.isArray(value)) {
    const items = value as readonly JsonValue[];
    // A list of a name and a value, such as `["password", "secret"]`, is a pair, too.
    const [name] = items;
    const isPair = step === 1 && items.length === 2 && typeof name === 'string' && isPossibleSecretName(name);
    return parentContext.isSearched && isPair ? { ...parentContext, name } : parentContext;
  }
  const name = String(step);
  if (!parentContext.isSearched) {
    return isConnectorSettingsName(name) ? { ...connectorContext, name } : documentContext;
  }
  const isPairMember = pairNameKeys.test(name) || pairValueKeys.test(name);
  const nameFromPair = isPairMember && isJsonObject(value) ? getPairName(value) : undefined;
  if (nameFromPair !== undefined && pairNameKeys.test(name)) {
    return { isSearched: true, name: '', isInsideSecret: false };
  }
  const isInsideSecret =
    parentContext.isInsideSecret || (isPossibleSecretName(parentContext.name) && parentContext.name !== '');
  return {
    isSearched: true,
    name: nameFromPair !== undefined && pairValueKeys.test(name) ? nameFromPair : name,
    isInsideSecret,
  };
}

/** Returns the name in a pair such as `{"name": "password", "value": …}`; `undefined` if the object is not a pair. */
function getPairName(value: Readonly<Record<string, JsonValue>>): string | undefined {
  const names = Object.keys(value);
  if (!names.some((name) => pairValueKeys.test(name))) {
    return undefined;
  }
  const candidateNames = names
    .filter((name) => pairNameKeys.test(name))
    .map((name) => value[name])
    .filter((name) => typeof name === 'string');
  // A parameter may have several names, such as an ID and a label: prefer one that indicates a secret.
  return candidateNames.find(isPossibleSecretName) ?? candidateNames[0];
}

/**
 * Finds the secret parts of a string or a number; `'all'` if all of it is secret.
 * @param depth number of encodings around the value
 */
export function findSecrets(
  leaf: JsonValue,
  context: SecretContext,
  depth = 0,
): readonly SecretRange[] | 'all' {
  if (!context.isSearched || leaf === '' || leaf === null || typeof leaf === 'boolean') {
    return [];
  }
  const { name, isInsideSecret } = context;
  const text = typeof leaf === 'string' ? leaf : stringify(leaf);
  const isSecretItself =
    isSecretByName(name, text) && !(typeof leaf === 'string' && isReadableJsonObject(name, text));
  if (isSecretItself || (isInsideSecret && !isPublicInsideSecret(name, text))) {
    return 'all';
  }
  return typeof leaf === 'string' ? findSecretsInText(leaf, name, depth) : [];
}

/**
 * True for a named value that is the text of a JSON object with members, such as the key file of a service account. The
 * names of its members show which of them are secret, so it need not be masked as a whole.
 */
const isReadableJsonObject = (name: string, text: string): boolean => {
  const json = parseJsonContainer(text);
  return isJsonObject(json) && name !== '' && Object.keys(json).length > 0;
};

function findSecretsInText(text: string, name: string, depth: number): readonly SecretRange[] | 'all' {
  if (isEncryptedTextName(name)) {
    return 'all';
  }
  const ranges = findSecretRanges(text, name, 'possible', depth);
  const sqlPlusPasswords = isConnectionStringName(name) ? findSqlPlusPasswords(text) : [];
  if (
    ranges.length === 0 &&
    sqlPlusPasswords.length === 0 &&
    isConnectionStringName(name) &&
    !isReadableConnectionString(text)
  ) {
    return 'all';
  }
  const [first, ...others] = mergeRanges([...ranges, ...sqlPlusPasswords]);
  const coversWholeText = first?.start === 0 && first.end === text.length && others.length === 0;
  return coversWholeText ? 'all' : first === undefined ? [] : [first, ...others];
}

/** True if a connection string is plain text rather than encrypted. */
const isReadableConnectionString = (text: string): boolean =>
  /^[A-Za-z][\w+.:-]*:\/\/|^(jdbc|odbc):|[\w\])]\s{0,8}=\s{0,8}[^=\s]/.test(text) ||
  parseJsonContainer(text) !== undefined;

/**
 * Maximum depth of nested encodings, since a few characters of text are enough to add another level. What is encoded
 * more often is masked without a search.
 */
const maxDepth = 6;

/**
 * Finds the secret parts of a text.
 * @param name the name of the field that contains the text; it applies to the values if the text is JSON
 * @param certainty how certain it must be that a name in the text indicates a secret; inside JSON, a possible secret is
 * enough
 * @param depth number of encodings around the text; JSON is one of them
 */
export function findSecretRanges(
  text: string,
  name = '',
  certainty: Certainty = 'possible',
  depth = 0,
): readonly SecretRange[] {
  const json = parseJsonContainer(text);
  if (json !== undefined) {
    if (depth >= maxDepth) {
      return getWholeTextRanges(text);
    }
    const hasPossibleSecretName = name !== '' && isPossibleSecretName(name);
    const context: SecretContext = {
      isSearched: true,
      name: hasPossibleSecretName ? name : '',
      isInsideSecret: false,
    };
    return mergeRanges(
      findSecretRangesInJson(text, getLeaves(json as JsonValue, context, depth + 1)) ??
        getWholeTextRanges(text),
    );
  }
  const pairs = findMarkupPairs(text);
  const assignedRanges = findAssignedSecrets(text, certainty).filter(
    ({ start }) => !pairs.nameOffsets.has(start),
  );
  const plainRanges = mergeRanges([...findSecretsByPattern(text), ...pairs.secrets, ...assignedRanges]);
  const ranges = mergeRanges([...plainRanges, ...findPercentEncodedSecrets(text, plainRanges, depth)]);
  return ranges.length === 0 && isBase64Secret(text, depth) ? getWholeTextRanges(text) : ranges;
}

function getLeaves(value: JsonValue, context: SecretContext, depth: number): readonly JsonLeaf[] {
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).flatMap((item, index) =>
      getLeaves(item, getMemberContext(context, value, index), depth),
    );
  }
  if (isJsonObject(value)) {
    return Object.entries(value).flatMap(([name, member]) =>
      getLeaves(member, getMemberContext(context, value, name), depth),
    );
  }
  return [{ value, secrets: findSecrets(value, context, depth) }];
}

/**
 * True for Base64 text that contains secrets, such as a key file, or the user and password of an HTTP header. Also true
 * if it's encoded too often to search it.
 */
function isBase64Secret(text: string, depth: number): boolean {
  if (!/^[A-Za-z0-9+/_-]{16,}={0,2}\s*$/.test(text)) {
    return false;
  }
  const decoded = decodeBase64(text.trim());
  return (
    decoded !== undefined &&
    (depth >= maxDepth ||
      findSecretRanges(decoded, '', 'possible', depth + 1).length > 0 ||
      /^[\w.@-]{2,64}:\S{3,}$/.test(decoded))
  );
}

/** Decodes Base64 to text; `undefined` if the result is not printable ASCII. */
function decodeBase64(text: string): string | undefined {
  try {
    const decoded = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    return /^[\t\r\n\x20-\x7e]+$/.test(decoded) ? decoded : undefined;
  } catch {
    // Not Base64, although it consists of Base64 characters.
    return undefined;
  }
}

/**
 * Finds values in a URL that are themselves percent-encoded URLs or settings and contain secrets. Also finds those that
 * are encoded too often to search them.
 */
function findPercentEncodedSecrets(
  text: string,
  knownRanges: readonly SecretRange[],
  depth: number,
): readonly SecretRange[] {
  if (!/%(?:3[ad]|22|7b)/i.test(text)) {
    return [];
  }
  // Matches and known ranges are both in text order, so one pass over the ranges is enough.
  let rangeIndex = 0;
  return [...text.matchAll(/(?<=[=?&;]|^)([^=&;?\s"'<>]*%(?:3[ad]|22|7b)[^=&;?\s"'<>]*)/gi)].flatMap(
    ({ 0: value, index }) => {
      const end = index + value.length;
      while ((knownRanges[rangeIndex]?.end ?? end) <= index) {
        rangeIndex += 1;
      }
      const decoded =
        (knownRanges[rangeIndex]?.start ?? end) < end ? undefined : decodePercentEncoding(value);
      const isSecret =
        decoded !== undefined &&
        (depth >= maxDepth || findSecretRanges(decoded, '', 'possible', depth + 1).length > 0);
      return isSecret ? [{ start: index, end }] : [];
    },
  );
}

function decodePercentEncoding(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text);
    return decoded === text ? undefined : decoded;
  } catch {
    // The text contains a percent sign that is not an escape.
    return undefined;
  }
}
