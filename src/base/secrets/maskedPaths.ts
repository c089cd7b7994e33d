import { type JsonValue, isJsonObject, stringify } from '../json.ts';
import { mask, maskRanges } from './mask.ts';
import { type SecretContext, documentContext, findSecrets, getMemberContext } from './findSecrets.ts';

/**
 * The path to a mask in a document. If the mask is part of a string, the last element is the index of the mask in it.
 */
export type SecretPath = readonly (string | number)[];

/**
 * Finds the masks in a document, whether they are whole values or parts of strings, in document order.
 */
export function findMaskedPaths(document: JsonValue): readonly SecretPath[] {
  const paths: SecretPath[] = [];
  unmask(document, (path) => {
    paths.push(path);
    return '';
  });
  return paths;
}

/** Replaces each mask in a document with the result of `getSecret`. */
export const unmask = (document: JsonValue, secretAt: (path: SecretPath) => JsonValue): JsonValue =>
  fillMasks(document, secretAt, { path: [], standing: documentContext });

interface MaskContext {
  readonly path: SecretPath;
  readonly standing: SecretContext;
}

function fillMasks(
  value: JsonValue,
  secretAt: (path: SecretPath) => JsonValue,
  { path, standing }: MaskContext,
): JsonValue {
  const at = (step: string | number): MaskContext => ({
    path: [...path, step],
    standing: getMemberContext(standing, value, step),
  });
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).map((item, index) => fillMasks(item, secretAt, at(index)));
  }
  if (isJsonObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, fillMasks(member, secretAt, at(name))]),
    );
  }
  if (typeof value !== 'string' || !standing.isInPlace || !value.includes(mask)) {
    return value;
  }
  if (value === mask) {
    return secretAt(path);
  }
  const [first = '', ...others] = value.split(mask);
  const secretText = (index: number): string => {
    const secret = secretAt([...path, index]);
    return typeof secret === 'string' ? secret : stringify(secret);
  };
  return others.reduce((text, part, index) => `${text}${secretText(index)}${part}`, first);
}

/**
 * Finds the secret behind a mask in the unmasked version of the document; `undefined` if there is none at that path.
 * Inside a string, secrets are matched by the text before them, because others may have been added or removed.
 * @param maskedDocument the version with the mask
 */
export function findSecretBehindMask(
  document: JsonValue | undefined,
  shown: JsonValue,
  path: SecretPath,
): JsonValue | undefined {
  const steps = [...path];
  let [value, seen, standing]: [JsonValue | undefined, JsonValue | undefined, SecretContext] = [
    document,
    shown,
    documentContext,
  ];
  while (steps.length > 0 && value !== undefined) {
    const [step = ''] = steps.splice(0, 1);
    if (typeof value === 'string') {
      return typeof step === 'number' && typeof seen === 'string' && steps.length === 0
        ? findSecretInText(value, seen, { standing, index: step })
        : undefined;
    }
    standing = getMemberContext(standing, value, step);
    [value, seen] = [getMemberAt(value, step), seen === undefined ? undefined : getMemberAt(seen, step)];
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
  shown: string,
  { standing, index }: { readonly standing: SecretContext; readonly index: number },
): string | undefined {
  const secrets = findSecrets(text, standing);
  if (secrets === 'all') {
    return undefined;
  }
  const [documentLeads, shownLeads] = [
    getTextBeforeMasks(maskRanges(text, secrets)),
    getTextBeforeMasks(shown),
  ];
  const lead = shownLeads[index];
  const nth = shownLeads.slice(0, index).filter((one) => one === lead).length;
  const alike = documentLeads.flatMap((one, at) => (one === lead ? [at] : []))[nth];
  const range = secrets[alike ?? (documentLeads.length === shownLeads.length ? index : Number.NaN)];
  return range === undefined ? undefined : text.slice(range.start, range.end);
}

/** Returns the text directly before each mask, such as `password=`, which identifies the mask. */
const getTextBeforeMasks = (text: string): readonly string[] =>
  text
    .split(mask)
    .slice(0, -1)
    .map((part) => /[^;&?,{\s]*[^\w]*$/.exec(part.slice(-maxLeadLength))?.[0] ?? '');

const maxLeadLength = 64;

/**
 * Label for the prompt that asks for a secret: the field name, followed by the indexes of the item or of the mask.
 */
export function getSecretLabel(path: SecretPath): string {
  const name = path.findLastIndex((step) => typeof step === 'string');
  return path
    .slice(Math.max(0, name))
    .map((step) => (typeof step === 'string' ? step : `[${step}]`))
    .join('');
}
