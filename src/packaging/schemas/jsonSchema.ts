import * as z from 'zod';
import type { JsonSchema, SchemaNote, SchemaNotes } from './note.ts';

/**
 * Creates the schema of a document with types from the contract and descriptions from the notes. The schema is no
 * stricter than the guide: it allows additional keys and `null`, and requires only keys that every file must have.
 */
export function createJsonSchema(
  contract: z.ZodType,
  notes: SchemaNotes,
  required: readonly string[] = [],
): JsonSchema {
  const schema = z.toJSONSchema(contract, {
    target: 'draft-7',
    io: 'input',
    unrepresentable: 'any',
    reused: 'inline',
  }) as JsonSchema;
  return annotate(schema, '', notes, required);
}

/** Simplifies `anyOf`: a type or `null` becomes a nullable type. */
function simplify(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  if (anyOf === undefined) {
    return rest;
  }
  const alternatives = anyOf.map(simplify).filter(({ type }) => type !== 'null');
  const hasNull = alternatives.length < anyOf.length;
  const [only] = alternatives;
  if (only === undefined || alternatives.length > 1) {
    return { ...rest, anyOf: hasNull ? [...alternatives, { type: 'null' }] : alternatives };
  }
  return { ...rest, ...(hasNull ? makeNullable(only) : only) };
}

function makeNullable(schema: JsonSchema): JsonSchema {
  const { type, anyOf } = schema;
  if (anyOf !== undefined) {
    return { ...schema, anyOf: [...anyOf, { type: 'null' }] };
  }
  return type === undefined ? schema : { ...schema, type: [...[type].flat(), 'null'] };
}

function annotate(
  schema: JsonSchema,
  path: string,
  notes: SchemaNotes,
  required: readonly string[],
): JsonSchema {
  const given = notes[path];
  const note: SchemaNote | undefined = typeof given === 'string' ? { text: given } : given;
  const whole = { ...simplify(schema), ...note?.adds };
  const { properties, items, enum: words, required: _asked, minLength: _length, ...kept } = whole;
  const rest = note?.wordMeanings === undefined && words !== undefined ? { ...kept, enum: words } : kept;
  const place = path === '' ? '' : `${path}.`;
  const wanted = Object.keys(properties ?? {}).filter((key) => required.includes(`${place}${key}`));
  return {
    ...annotateAlternatives(rest, path, notes, required),
    ...(note === undefined ? {} : applyNote(rest, note)),
    ...(wanted.length > 0 ? { required: wanted } : {}),
    ...(items === undefined ? {} : { items: annotate(items, `${path}[]`, notes, required) }),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([key, value]) => [
              key,
              annotate(value, path === '' ? key : `${path}.${key}`, notes, required),
            ]),
          ),
        }),
  };
}

/** Annotates the alternatives of a property. They have the same path, and are not described individually. */
function annotateAlternatives(
  schema: JsonSchema,
  path: string,
  notes: SchemaNotes,
  required: readonly string[],
): JsonSchema {
  const { anyOf, ...rest } = schema;
  const inner: SchemaNotes = { ...notes, [path]: { text: '' } };
  return anyOf === undefined
    ? rest
    : {
        ...rest,
        anyOf: anyOf.map((alternative) => removeDescriptions(annotate(alternative, path, inner, required))),
      };
}

function removeDescriptions({
  description: _plain,
  markdownDescription: _marked,
  ...rest
}: JsonSchema): JsonSchema {
  return rest;
}

/** Creates the schema keywords for a note: descriptions, allowed keywords, initial values, deprecations. */
function applyNote(schema: JsonSchema, note: SchemaNote): JsonSchema {
  const isOptional = [schema.type ?? []].flat().includes('null');
  return {
    description: note.text.replaceAll('`', '"'),
    markdownDescription: note.text,
    ...(note.wordMeanings === undefined ? {} : describeEnumWords(note.wordMeanings, note, isOptional)),
    ...(note.pattern === undefined ? {} : { pattern: note.pattern, patternErrorMessage: note.wrong }),
    ...(note.deprecated === undefined ? {} : { deprecated: true, deprecationMessage: note.deprecated }),
    ...(note.isServerMade === true ? { doNotSuggest: true } : {}),
    ...(note.start === undefined ? {} : { defaultSnippets: [{ body: note.start }] }),
    ...(note.snippets === undefined ? {} : { defaultSnippets: note.snippets }),
  };
}

function describeEnumWords(
  words: Readonly<Record<string, string>>,
  note: SchemaNote,
  isOptional: boolean,
): JsonSchema {
  if (note.anyCase === true) {
    const toCaseInsensitivePattern = (word: string): string =>
      word.replaceAll(/[a-z]/g, (c) => `[${c}${c.toUpperCase()}]`);
    return {
      type: isOptional ? ['string', 'null'] : 'string',
      pattern: `^(${Object.keys(words).map(toCaseInsensitivePattern).join('|')})$`,
      patternErrorMessage: note.wrong,
      defaultSnippets: Object.entries(words).map(([body, description]) => ({
        label: body,
        description,
        body,
      })),
    };
  }
  return {
    enum: [...Object.keys(words), ...(isOptional ? [null] : [])],
    enumDescriptions: [...Object.values(words), ...(isOptional ? ['Nothing.'] : [])],
    errorMessage: note.wrong,
  };
}
