import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../../src/base/json.ts';

const names = fc.constantFrom(
  'name',
  'title',
  'a/b',
  '[x]',
  '😀',
  '__proto__',
  'constructor',
  '',
  'ä "q" \\',
);
const scalars = fc.oneof(
  fc.constantFrom<JsonValue>(
    null,
    true,
    false,
    0,
    -1,
    1.5,
    12345678,
    '',
    'text',
    '// no',
    '/* no */',
    '],}',
    '😀',
  ),
  fc.string(),
);

/** A value like those in documents: small, with unusual names and texts that look like JSON. */
export const jsonValues: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalars,
    fc.array(tie('value'), { maxLength: 5 }),
    fc
      .array(fc.tuple(names, tie('value')), { maxLength: 4 })
      .map((entries): JsonObject => Object.fromEntries(entries)),
  ),
})).value;

/** A location in a value, and the operation there; numbers choose among the existing items. */
export interface Deed {
  readonly deed: 'set' | 'remove' | 'append' | 'insert' | 'move' | 'reverse';
  readonly where: number;
  readonly index: number;
  readonly to: number;
  readonly value: JsonValue;
  readonly name: string;
}

export const deeds: fc.Arbitrary<Deed> = fc.record({
  deed: fc.constantFrom('set', 'remove', 'append', 'insert', 'move', 'reverse'),
  where: fc.nat(1000),
  index: fc.nat(1000),
  to: fc.nat(1000),
  value: jsonValues,
  name: names,
});

/** Applies an operation to a value and copies only what changes. */
export function withDeed(value: JsonValue, deed: Deed): JsonValue {
  const children = getChildren(value);
  // About half of the operations are applied here, the rest further down.
  if (children.length > 0 && deed.where % 2 === 1) {
    const [key, child] = children[deed.index % children.length] ?? ['', null];
    const changed = withDeed(child, { ...deed, where: deed.where >> 1, index: deed.index >> 1 });
    return Array.isArray(value)
      ? (value as readonly JsonValue[]).with(Number(key), changed)
      : { ...(value as JsonObject), [key]: changed };
  }
  return Array.isArray(value) ? itemsWith(value as readonly JsonValue[], deed) : objectWith(value, deed);
}

function itemsWith(items: readonly JsonValue[], deed: Deed): JsonValue {
  const at = items.length === 0 ? 0 : deed.index % items.length;
  switch (deed.deed) {
    case 'append':
      return [...items, deed.value];
    case 'insert':
      return items.toSpliced(at, 0, deed.value, deed.value);
    case 'remove':
      return items.toSpliced(at, 1 + (deed.to % 2));
    case 'reverse':
      return items.toReversed();
    case 'move': {
      const rest = items.toSpliced(at, 1);
      return items.length === 0 ? items : rest.toSpliced(deed.to % items.length, 0, items[at] ?? null);
    }
    case 'set':
      return items.length === 0 ? items : items.with(at, deed.value);
  }
}

function objectWith(value: JsonValue, deed: Deed): JsonValue {
  if (typeof value !== 'object' || value === null) {
    return deed.value;
  }
  const object = value as JsonObject;
  const taken = Object.keys(object)[deed.index % Math.max(1, Object.keys(object).length)];
  if (deed.deed === 'remove') {
    return Object.fromEntries(Object.entries(object).filter(([name]) => name !== taken));
  }
  return { ...object, [deed.deed === 'append' ? deed.name : (taken ?? deed.name)]: deed.value };
}

const getChildren = (value: JsonValue): readonly [string, JsonValue][] =>
  typeof value === 'object' && value !== null ? Object.entries(value as JsonObject) : [];

/** Comments as people write them, and their possible positions. */
export interface Noise {
  /** Chooses the filler for each position in turn. */
  readonly choices: readonly number[];
}

export const noises: fc.Arbitrary<Noise> = fc.record({
  choices: fc.array(fc.nat(11), { minLength: 20, maxLength: 60 }),
});

/** The same value as an untidy person might have typed it: comments, blanks, lines and a trailing comma anywhere. */
export function untidy(value: JsonValue, { choices }: Noise): string {
  let turn = 0;
  const noise = (mayEndLine = true): string => {
    const choice = choices[turn % choices.length] ?? 0;
    turn += 1;
    const label = `c${turn}`;
    switch (choice) {
      case 1:
        return ' ';
      case 2:
        return '\n  ';
      case 3:
        return `/* ${label} */`;
      case 4:
        return mayEndLine ? ` // ${label}\n` : '\t';
      case 5:
        return `\n    // ${label} own\n  `;
      case 6:
        return `\r\n\t/* ${label},]} */\r\n\t`;
      case 7:
        return ' /* two */ /* blocks */ ';
      default:
        return '';
    }
  };
  const write = (item: JsonValue): string => {
    if (Array.isArray(item)) {
      const items = (item as readonly JsonValue[]).map((child) => noise() + write(child) + noise());
      return `[${items.join(',')}${items.length > 0 && turn % 7 === 0 ? `,${noise()}` : noise()}]`;
    }
    if (typeof item === 'object' && item !== null) {
      const properties = Object.entries(item as JsonObject).map(
        ([name, child]) => `${noise()}${JSON.stringify(name)}${noise()}:${noise()}${write(child)}${noise()}`,
      );
      return `{${properties.join(',')}${properties.length > 0 && turn % 7 === 0 ? `,${noise()}` : noise()}}`;
    }
    return JSON.stringify(item);
  };
  return noise() + write(value) + noise();
}

/** The comments of a text whose strings contain no comment markers except those of the arbitraries. */
export function getComments(text: string): readonly string[] {
  return [...text.matchAll(/"(?:[^"\\]|\\.)*"|(\/\/[^\r\n]*|\/\*[^]*?\*\/)/g)].flatMap(
    ([, comment]) => comment?.trimEnd() ?? [],
  );
}
