import { type JsonValue, isJsonObject, stringify } from '../json.ts';
import { findAssignedSecrets } from './assignments.ts';
import { type JsonLeaf, parseJsonContainer, findSecretRangesInJson } from './jsonInText.ts';
import { type SecretRange, mergeRanges, getWholeRange } from './mask.ts';
import { findMarkupPairs } from './markupPairs.ts';
import {
  isConnectorPlace,
  isEncryptedText,
  isPublicWithin,
  isSecretByName,
  isSecretName,
  isConnectionStringName,
} from './secretName.ts';
import { findShapedSecrets, findSlashSecrets } from './textShapes.ts';

/** The position of a value in a document, as far as it matters for whether the value is secret. */
export interface SecretContext {
  /** True if the value is part of the settings of a connector. Nothing else in a document is secret. */
  readonly isInPlace: boolean;
  /** The key of the value, or of the nearest enclosing member, or the name from a pair (`{"name": …, "value": …}`). */
  readonly name: string;
  /**
   * True if an enclosing value has a secret name. Then the value is secret too, unless its own name shows that it is
   * public.
   */
  readonly isWithin: boolean;
}

/** The context of a whole document, in which only some parts are settings of a connector. */
export const documentContext: SecretContext = { isInPlace: false, name: '', isWithin: false };
/** The context of a connection, or of anything inside one. */
export const connectionContext: SecretContext = { isInPlace: true, name: 'connection', isWithin: false };

const pairNames =
  /^(key|name|property|parameter|param|option|header|attribute|setting|id|field|label|title)$/i;
const pairValues = /^(value|val|content|default|defaultvalue)$/i;

/** Returns the context of a member or an item of a value. */
export function getMemberContext(
  holder: SecretContext,
  value: JsonValue,
  step: string | number,
): SecretContext {
  if (Array.isArray(value)) {
    const items = value as readonly JsonValue[];
    const [name] = items;
    const isPair = step === 1 && items.length === 2 && typeof name === 'string' && isSecretName(name);
    return holder.isInPlace && isPair ? { ...holder, name } : holder;
  }
  const name = String(step);
  if (!holder.isInPlace) {
    return isConnectorPlace(name) ? { ...connectionContext, name } : documentContext;
  }
  const isOfPair = pairNames.test(name) || pairValues.test(name);
  const pair = isOfPair && isJsonObject(value) ? getPairName(value) : undefined;
  if (pair !== undefined && pairNames.test(name)) {
    return { isInPlace: true, name: '', isWithin: false };
  }
  const isWithin = holder.isWithin || (isSecretName(holder.name) && holder.name !== '');
  return { isInPlace: true, name: pair !== undefined && pairValues.test(name) ? pair : name, isWithin };
}

/** Returns the name in a pair such as `{"name": "password", "value": …}`; `undefined` if the object is no pair. */
function getPairName(value: Readonly<Record<string, JsonValue>>): string | undefined {
  const names = Object.keys(value);
  if (!names.some((name) => pairValues.test(name))) {
    return undefined;
  }
  const pairName = names
    .filter((name) => pairNames.test(name))
    .map((name) => value[name])
    .filter((name) => typeof name === 'string');
  // A parameter may have several names, such as an ID and a label: prefer one that indicates a secret.
  return pairName.find(isSecretName) ?? pairName[0];
}

/** Finds the secret parts of a string or a number; `'all'` if all of it is secret. */
export function findSecrets(leaf: JsonValue, standing: SecretContext): readonly SecretRange[] | 'all' {
  if (!standing.isInPlace || leaf === '' || leaf === null || typeof leaf === 'boolean') {
    return [];
  }
  const { name, isWithin } = standing;
  const text = typeof leaf === 'string' ? leaf : stringify(leaf);
  const isOwn = isSecretByName(name, text) && !(typeof leaf === 'string' && hasReadableParts(name, text));
  if (isOwn || (isWithin && !isPublicWithin(name, text))) {
    return 'all';
  }
  return typeof leaf === 'string' ? findSecretsInText(leaf, name) : [];
}

/**
 * True for the text of a JSON object, such as the key file of a service account. The names of its members show which of
 * them are secret, so it need not be masked as a whole.
 */
const hasReadableParts = (name: string, text: string): boolean => {
  const json = parseJsonContainer(text);
  return isJsonObject(json) && name !== '' && Object.keys(json).length > 0;
};

function findSecretsInText(text: string, name: string): readonly SecretRange[] | 'all' {
  if (isEncryptedText(name)) {
    return 'all';
  }
  const ranges = findSecretRanges(text, name);
  const slashed = isConnectionStringName(name) ? findSlashSecrets(text) : [];
  if (
    ranges.length === 0 &&
    slashed.length === 0 &&
    isConnectionStringName(name) &&
    !isReadableConnection(text)
  ) {
    return 'all';
  }
  const [first, ...others] = mergeRanges([...ranges, ...slashed]);
  const isAll = first?.start === 0 && first.end === text.length && others.length === 0;
  return isAll ? 'all' : first === undefined ? [] : [first, ...others];
}

/** True if a connection string is plain text rather than encrypted. */
const isReadableConnection = (text: string): boolean =>
  /^[A-Za-z][\w+.:-]*:\/\/|^(jdbc|odbc):|[\w\])]\s{0,8}=\s{0,8}[^=\s]/.test(text) ||
  parseJsonContainer(text) !== undefined;

/** Maximum depth of nested encodings: a few characters of text are enough to add another level. */
const maxDepth = 6;

/**
 * Finds the secret parts of a text.
 * @param name the name of the field that contains the text; it applies to the values if the text is JSON
 * @param level how certain it must be that a name in the text indicates a secret
 * @param depth number of encodings around the text
 */
export function findSecretRanges(
  text: string,
  name = '',
  level: 'doubt' | 'sure' = 'doubt',
  depth = 0,
): readonly SecretRange[] {
  const json = parseJsonContainer(text);
  if (json !== undefined) {
    const isOwn = name !== '' && isSecretName(name);
    const standing: SecretContext = { isInPlace: true, name: isOwn ? name : '', isWithin: false };
    return mergeRanges(
      findSecretRangesInJson(text, getLeaves(json as JsonValue, standing)) ?? getWholeRange(text),
    );
  }
  const pairs = findMarkupPairs(text);
  const assigned = findAssignedSecrets(text, level).filter(({ start }) => !pairs.names.has(start));
  const plain = mergeRanges([...findShapedSecrets(text), ...pairs.secrets, ...assigned]);
  const ranges = mergeRanges([...plain, ...findEncodedSecrets(text, plain, depth)]);
  return ranges.length === 0 && depth < maxDepth && isEncodedSecret(text, depth)
    ? getWholeRange(text)
    : ranges;
}

function getLeaves(value: JsonValue, standing: SecretContext): readonly JsonLeaf[] {
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).flatMap((item, index) =>
      getLeaves(item, getMemberContext(standing, value, index)),
    );
  }
  if (isJsonObject(value)) {
    return Object.entries(value).flatMap(([name, member]) =>
      getLeaves(member, getMemberContext(standing, value, name)),
    );
  }
  return [{ value, secrets: findSecrets(value, standing) }];
}

/** True for Base64 text that contains secrets, such as a key file, or the user and password of an HTTP header. */
function isEncodedSecret(text: string, depth: number): boolean {
  if (!/^[A-Za-z0-9+/_-]{16,}={0,2}\s*$/.test(text)) {
    return false;
  }
  const decoded = decodeBase64(text.trim());
  return (
    decoded !== undefined &&
    (findSecretRanges(decoded, '', 'doubt', depth + 1).length > 0 || /^[\w.@-]{2,64}:\S{3,}$/.test(decoded))
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

/** Finds values in a URL that are themselves percent-encoded URLs or settings and contain secrets. */
function findEncodedSecrets(
  text: string,
  known: readonly SecretRange[],
  depth: number,
): readonly SecretRange[] {
  if (depth >= maxDepth || !/%(?:3[ad]|22|7b)/i.test(text)) {
    return [];
  }
  // Matches and known ranges are both in text order, so one pass over the ranges is enough.
  let at = 0;
  return [...text.matchAll(/(?<=[=?&;]|^)([^=&;?\s"'<>]*%(?:3[ad]|22|7b)[^=&;?\s"'<>]*)/gi)].flatMap(
    ({ 0: value, index }) => {
      const end = index + value.length;
      while ((known[at]?.end ?? end) <= index) {
        at += 1;
      }
      const decoded = (known[at]?.start ?? end) < end ? undefined : decodePercentEncoding(value);
      return decoded !== undefined && findSecretRanges(decoded, '', 'doubt', depth + 1).length > 0
        ? [{ start: index, end }]
        : [];
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
