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

/** The position of a value, as far as it determines whether the value is secret. */
export interface SecretContext {
  /** True if the value is part of the settings of a connector: elsewhere names mean nothing, and nothing is secret. */
  readonly isInPlace: boolean;
  /** The name of the value: that of the nearest member, or of a pair such as `{"name": …, "value": …}`. */
  readonly name: string;
  /**
   * True if something around the value is secret by its name, so that the value is too unless its own name says
   * otherwise.
   */
  readonly isWithin: boolean;
}

/** A document, of which only some parts are settings of a connector. */
export const documentContext: SecretContext = { isInPlace: false, name: '', isWithin: false };
/** A connection on its own, or anything within one. */
export const connectionContext: SecretContext = { isInPlace: true, name: 'connection', isWithin: false };

const pairNames =
  /^(key|name|property|parameter|param|option|header|attribute|setting|id|field|label|title)$/i;
const pairValues = /^(value|val|content|default|defaultvalue)$/i;

/** The context of a member or an item of a value. */
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

/** The name that `{"name": "password", "value": …}` gives its value. */
function getPairName(value: Readonly<Record<string, JsonValue>>): string | undefined {
  const names = Object.keys(value);
  if (!names.some((name) => pairValues.test(name))) {
    return undefined;
  }
  const pairName = names
    .filter((name) => pairNames.test(name))
    .map((name) => value[name])
    .filter((name) => typeof name === 'string');
  // A parameter may also have a number and a label: prefer the one that indicates a secret.
  return pairName.find(isSecretName) ?? pairName[0];
}

/** The secret parts of a text or a number in its context; `'all'` for all of it. */
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
 * True for a JSON object, as in the key file of a service account: the names of its members show which of them are
 * secret.
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

/** True if a connection that is one text is readable rather than encrypted. */
const isReadableConnection = (text: string): boolean =>
  /^[A-Za-z][\w+.:-]*:\/\/|^(jdbc|odbc):|[\w\])]\s{0,8}=\s{0,8}[^=\s]/.test(text) ||
  parseJsonContainer(text) !== undefined;

/** Maximum nesting of encodings in a text: each level costs no more than a character. */
const maxDepth = 6;

/**
 * The parts of a text that are secret by their form.
 * @param name the name of the text, for the JSON in it
 * @param level how certain a name within it has to be
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

/** Base64 of something that contains secrets: a key file, or the user and password of a header. */
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

/** The text; `undefined` for bytes that are not plain text. */
function decodeBase64(text: string): string | undefined {
  try {
    const decoded = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    return /^[\t\r\n\x20-\x7e]+$/.test(decoded) ? decoded : undefined;
  } catch {
    // Letters and digits alone do not make base64: it is ordinary text.
    return undefined;
  }
}

/** A value in a URL that is itself a percent-encoded URL or list of settings. */
function findEncodedSecrets(
  text: string,
  known: readonly SecretRange[],
  depth: number,
): readonly SecretRange[] {
  if (depth >= maxDepth || !/%(?:3[ad]|22|7b)/i.test(text)) {
    return [];
  }
  // Both are in text order.
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
    // A percent sign that encodes nothing.
    return undefined;
  }
}
