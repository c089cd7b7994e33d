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

/** An operation at a location in a value. The numbers choose the location among the existing items. */
export interface ValueOperation {
  readonly kind: 'set' | 'remove' | 'append' | 'insert' | 'move' | 'reverse';
  /** Its bits decide, level by level, whether the operation is applied there (0) or to a child (1). */
  readonly depthChoice: number;
  readonly index: number;
  /** The index to move to, or the number of items to remove. */
  readonly secondIndex: number;
  readonly value: JsonValue;
  readonly name: string;
}

export const valueOperations: fc.Arbitrary<ValueOperation> = fc.record({
  kind: fc.constantFrom('set', 'remove', 'append', 'insert', 'move', 'reverse'),
  depthChoice: fc.nat(1000),
  index: fc.nat(1000),
  secondIndex: fc.nat(1000),
  value: jsonValues,
  name: names,
});

/** Applies an operation to a value and copies only what changes. */
export function applyOperation(value: JsonValue, operation: ValueOperation): JsonValue {
  const children = getChildren(value);
  // About half of the operations are applied here, the others further down.
  if (children.length > 0 && operation.depthChoice % 2 === 1) {
    const [key, child] = children[operation.index % children.length] ?? ['', null];
    const changed = applyOperation(child, {
      ...operation,
      depthChoice: operation.depthChoice >> 1,
      index: operation.index >> 1,
    });
    return Array.isArray(value)
      ? (value as readonly JsonValue[]).with(Number(key), changed)
      : { ...(value as JsonObject), [key]: changed };
  }
  return Array.isArray(value)
    ? applyToItems(value as readonly JsonValue[], operation)
    : applyToObject(value, operation);
}

function applyToItems(items: readonly JsonValue[], operation: ValueOperation): JsonValue {
  const index = items.length === 0 ? 0 : operation.index % items.length;
  switch (operation.kind) {
    case 'append':
      return [...items, operation.value];
    case 'insert':
      return items.toSpliced(index, 0, operation.value, operation.value);
    case 'remove':
      return items.toSpliced(index, 1 + (operation.secondIndex % 2));
    case 'reverse':
      return items.toReversed();
    case 'move': {
      const remainingItems = items.toSpliced(index, 1);
      return items.length === 0
        ? items
        : remainingItems.toSpliced(operation.secondIndex % items.length, 0, items[index] ?? null);
    }
    case 'set':
      return items.length === 0 ? items : items.with(index, operation.value);
  }
}

function applyToObject(value: JsonValue, operation: ValueOperation): JsonValue {
  if (typeof value !== 'object' || value === null) {
    return operation.value;
  }
  const object = value as JsonObject;
  const existingName = Object.keys(object)[operation.index % Math.max(1, Object.keys(object).length)];
  if (operation.kind === 'remove') {
    return Object.fromEntries(Object.entries(object).filter(([name]) => name !== existingName));
  }
  return {
    ...object,
    [operation.kind === 'append' ? operation.name : (existingName ?? operation.name)]: operation.value,
  };
}

const getChildren = (value: JsonValue): readonly [string, JsonValue][] =>
  typeof value === 'object' && value !== null ? Object.entries(value as JsonObject) : [];

/** Chooses comments and whitespace for the positions between the tokens of a text. */
export interface FillerChoices {
  /** The number of the filler for each position; the list repeats if there are more positions. */
  readonly choices: readonly number[];
}

export const fillerChoices: fc.Arbitrary<FillerChoices> = fc.record({
  choices: fc.array(fc.nat(11), { minLength: 20, maxLength: 60 }),
});

/** Formats a value with comments, blanks, line breaks and trailing commas anywhere. */
export function formatWithFillers(value: JsonValue, { choices }: FillerChoices): string {
  let turn = 0;
  const createFiller = (mayEndLine = true): string => {
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
      const items = (item as readonly JsonValue[]).map(
        (child) => createFiller() + write(child) + createFiller(),
      );
      return `[${items.join(',')}${items.length > 0 && turn % 7 === 0 ? `,${createFiller()}` : createFiller()}]`;
    }
    if (typeof item === 'object' && item !== null) {
      const properties = Object.entries(item as JsonObject).map(
        ([name, child]) =>
          `${createFiller()}${JSON.stringify(name)}${createFiller()}:${createFiller()}${write(child)}${createFiller()}`,
      );
      return `{${properties.join(',')}${properties.length > 0 && turn % 7 === 0 ? `,${createFiller()}` : createFiller()}}`;
    }
    return JSON.stringify(item);
  };
  return createFiller() + write(value) + createFiller();
}

/** The comments of a text whose strings contain no comment markers except those of the arbitraries. */
export function getComments(text: string): readonly string[] {
  return [...text.matchAll(/"(?:[^"\\]|\\.)*"|(\/\/[^\r\n]*|\/\*[^]*?\*\/)/g)].flatMap(
    ([, comment]) => comment?.trimEnd() ?? [],
  );
}
