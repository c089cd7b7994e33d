import { type JsonValue, isJsonObject, stringify } from '../json.ts';
import { mask, maskRanges } from './mask.ts';
import { type SecretContext, documentContext, findSecrets, getMemberContext } from './findSecrets.ts';

/**
 * The path to a mask in a document. If the mask is part of a string, the last element is the index of the mask among
 * the masks of that string.
 */
export type MaskPath = readonly (string | number)[];

/**
 * Finds the masks in a document, whether they are whole values or parts of strings, in document order.
 */
export function findMaskPaths(document: JsonValue): readonly MaskPath[] {
  const paths: MaskPath[] = [];
  unmask(document, (path) => {
    paths.push(path);
    return '';
  });
  return paths;
}

/** Replaces each mask in a document with the result of `getSecret`. */
export const unmask = (document: JsonValue, getSecret: (path: MaskPath) => JsonValue): JsonValue =>
  replaceMasks(document, getSecret, { path: [], context: documentContext });

interface ValueLocation {
  readonly path: MaskPath;
  readonly context: SecretContext;
}

function replaceMasks(
  value: JsonValue,
  getSecret: (path: MaskPath) => JsonValue,
  { path, context }: ValueLocation,
): JsonValue {
  const getChildLocation = (step: string | number): ValueLocation => ({
    path: [...path, step],
    context: getMemberContext(context, value, step),
  });
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).map((item, index) =>
      replaceMasks(item, getSecret, getChildLocation(index)),
    );
  }
  if (isJsonObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        replaceMasks(member, getSecret, getChildLocation(name)),
      ]),
    );
  }
  if (typeof value !== 'string' || !context.isSearched || !value.includes(mask)) {
    return value;
  }
  if (value === mask) {
    return getSecret(path);
  }
  const [leadingText = '', ...followingTexts] = value.split(mask);
  const getSecretText = (index: number): string => {
    const secret = getSecret([...path, index]);
    return typeof secret === 'string' ? secret : stringify(secret);
  };
  return followingTexts.reduce((text, part, index) => `${text}${getSecretText(index)}${part}`, leadingText);
}

/**
 * Finds the secret behind a mask in the unmasked version of the document; `undefined` if there is none at that path.
 * Inside a string, secrets are matched by the text before them, because others may have been added or removed; if that
 * text has changed but the number of masks has not, by their order.
 * @param maskedDocument the version with the mask
 */
export function findSecretBehindMask(
  document: JsonValue | undefined,
  maskedDocument: JsonValue,
  path: MaskPath,
): JsonValue | undefined {
  const remainingPath = [...path];
  let [value, maskedValue, context]: [JsonValue | undefined, JsonValue | undefined, SecretContext] = [
    document,
    maskedDocument,
    documentContext,
  ];
  while (remainingPath.length > 0 && value !== undefined) {
    const [step = ''] = remainingPath.splice(0, 1);
    if (typeof value === 'string') {
      return typeof step === 'number' && typeof maskedValue === 'string' && remainingPath.length === 0
        ? findSecretInText(value, maskedValue, { context, index: step })
        : undefined;
    }
    context = getMemberContext(context, value, step);
    [value, maskedValue] = [
      getMemberAt(value, step),
      maskedValue === undefined ? undefined : getMemberAt(maskedValue, step),
    ];
  }
  return value;
}

function getMemberAt(value: JsonValue, step: string | number): JsonValue | undefined {
  if (Array.isArray(value)) {
    return typeof step === 'number' ? (value as readonly JsonValue[])[step] : undefined;
  }
  return isJsonObject(value) && Object.hasOwn(value, step) ? value[String(step)] : undefined;
}

function findSecretInText(
  text: string,
  maskedText: string,
  { context, index }: { readonly context: SecretContext; readonly index: number },
): string | undefined {
  const secrets = findSecrets(text, context);
  if (secrets === 'all') {
    return undefined;
  }
  const [documentPrefixes, maskedPrefixes] = [
    getPrefixesOfMasks(maskRanges(text, secrets)),
    getPrefixesOfMasks(maskedText),
  ];
  const prefix = maskedPrefixes[index];
  const occurrence = maskedPrefixes.slice(0, index).filter((candidate) => candidate === prefix).length;
  const matchingIndex = documentPrefixes.flatMap((candidate, candidateIndex) =>
    candidate === prefix ? [candidateIndex] : [],
  )[occurrence];
  const hasEqualCount = documentPrefixes.length === maskedPrefixes.length;
  const secretIndex = matchingIndex ?? (hasEqualCount ? index : undefined);
  const range = secretIndex === undefined ? undefined : secrets[secretIndex];
  return range === undefined ? undefined : text.slice(range.start, range.end);
}

/** Returns the text directly before each mask, such as `password=`, which identifies the mask. */
const getPrefixesOfMasks = (text: string): readonly string[] =>
  text
    .split(mask)
    .slice(0, -1)
    .map((part) => /[^;&?,{\s]*[^\w]*$/.exec(part.slice(-maxPrefixLength))?.[0] ?? '');

const maxPrefixLength = 64;

/**
 * Label for the prompt that asks for a secret: the field name, followed by the indexes of the item or of the mask.
 */
export function getSecretLabel(path: MaskPath): string {
  const nameIndex = path.findLastIndex((step) => typeof step === 'string');
  return path
    .slice(Math.max(0, nameIndex))
    .map((step) => (typeof step === 'string' ? step : `[${step}]`))
    .join('');
}
