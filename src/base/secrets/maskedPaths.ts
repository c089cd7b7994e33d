import { type JsonValue, isJsonObject, stringify } from '../json.ts';
import { mask, maskRanges } from './mask.ts';
import { type SecretContext, documentContext, findSecrets, getMemberContext } from './findSecrets.ts';

/** The position of a value in a document. A number after the position of a text counts the masks in the text. */
export type SecretPath = readonly (string | number)[];

/**
 * The positions in a document that still show the mask instead of a secret, as a whole value or within a text, in
 * order.
 */
export function findMaskedPaths(document: JsonValue): readonly SecretPath[] {
  const paths: SecretPath[] = [];
  unmask(document, (path) => {
    paths.push(path);
    return '';
  });
  return paths;
}

/** The document with each mask replaced by what `secretAt` returns. */
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
 * The secret that a mask stands for, from another version of the document; `undefined` if there is none at that
 * position. Within a text, the secret after the same words counts: others may have been added or removed.
 * @param shown the version with the mask
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

/** The text before each mask: it identifies the mask. */
const getTextBeforeMasks = (text: string): readonly string[] =>
  text
    .split(mask)
    .slice(0, -1)
    .map((part) => /[^;&?,{\s]*[^\w]*$/.exec(part.slice(-maxLeadLength))?.[0] ?? '');

const maxLeadLength = 64;

/**
 * The label used when asking for a secret: the name of the field, and which of its items or of the masks in its text.
 */
export function getSecretLabel(path: SecretPath): string {
  const name = path.findLastIndex((step) => typeof step === 'string');
  return path
    .slice(Math.max(0, name))
    .map((step) => (typeof step === 'string' ? step : `[${step}]`))
    .join('');
}
