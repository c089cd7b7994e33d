import type { SecretRange } from './mask.ts';
import { isSecretByName, isSecretName } from './secretName.ts';

/** What attributes such as `key="Password" value="…"` say together. */
export interface MarkupPairs {
  /** Where the values of `key` begin: they are names, and no keys. */
  readonly names: ReadonlySet<number>;
  readonly secrets: readonly SecretRange[];
}

/** A tag with two attributes or more. No value of one reaches over the next tag, so that all looks pass a text once. */
const tags =
  /<[A-Za-z][\w:.-]{0,63}((?:\s{1,16}[\w:.-]{1,64}\s{0,4}=\s{0,4}(?:"[^"<]{0,4096}"|'[^'<]{0,4096}')){2,16})/g;
const attributes = /([\w:.-]{1,64})\s{0,4}=\s{0,4}(["'])(.*?)\2/gs;

/** The pairs that attributes of a text in XML are. */
export function findMarkupPairs(text: string): MarkupPairs {
  const names = new Set<number>();
  const secrets: SecretRange[] = [];
  for (const { 0: tag, 1: list = '', index } of text.matchAll(tags)) {
    const from = index + tag.length - list.length;
    const found = [...list.matchAll(attributes)].map(({ 0: all, 1: name = '', 3: value = '', index: at }) => {
      const end = from + at + all.length - 1;
      return { name, value, start: end - value.length, end };
    });
    const of = found.find(({ name }) => /^(key|name|property)$/i.test(name));
    const pairValue = found.find(({ name }) => /^value$/i.test(name));
    if (of === undefined || pairValue === undefined) {
      continue;
    }
    names.add(of.start);
    if (isSecretName(of.value) && isSecretByName(of.value, pairValue.value)) {
      secrets.push(pairValue);
    }
  }
  return { names, secrets };
}
