import type { SecretRange } from './mask.ts';
import { isSecretByName, isPossibleSecretName } from './secretName.ts';

/** The secrets in pairs of XML attributes such as `key="Password" value="…"`. */
export interface MarkupPairs {
  /** The offsets of attribute values that are names of pairs. They are not secret, although the attribute is `key`. */
  readonly nameOffsets: ReadonlySet<number>;
  readonly secrets: readonly SecretRange[];
}

/**
 * Matches a tag with two or more attributes. No match can extend past the next `<`, so the text is scanned only once.
 */
const tagPattern =
  /<[A-Za-z][\w:.-]{0,63}((?:\s{1,16}[\w:.-]{1,64}\s{0,4}=\s{0,4}(?:"[^"<]{0,4096}"|'[^'<]{0,4096}')){2,16})/g;
const attributePattern = /([\w:.-]{1,64})\s{0,4}=\s{0,4}(["'])(.*?)\2/gs;

/** Finds pairs of a name attribute and a value attribute in XML text. */
export function findMarkupPairs(text: string): MarkupPairs {
  const nameOffsets = new Set<number>();
  const secrets: SecretRange[] = [];
  for (const { 0: tag, 1: attributeText = '', index } of text.matchAll(tagPattern)) {
    const attributesStart = index + tag.length - attributeText.length;
    const parsedAttributes = [...attributeText.matchAll(attributePattern)].map(
      ({ 0: matchedText, 1: name = '', 3: value = '', index: offset }) => {
        const end = attributesStart + offset + matchedText.length - 1;
        return { name, value, start: end - value.length, end };
      },
    );
    const nameAttribute = parsedAttributes.find(({ name }) => /^(key|name|property)$/i.test(name));
    const valueAttribute = parsedAttributes.find(({ name }) => /^value$/i.test(name));
    if (nameAttribute === undefined || valueAttribute === undefined) {
      continue;
    }
    nameOffsets.add(nameAttribute.start);
    if (
      isPossibleSecretName(nameAttribute.value) &&
      isSecretByName(nameAttribute.value, valueAttribute.value)
    ) {
      secrets.push(valueAttribute);
    }
  }
  return { nameOffsets, secrets };
}
