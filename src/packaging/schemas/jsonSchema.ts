import * as z from 'zod';
import type { JsonSchema, SchemaNote, SchemaNotes, SchemaSnippet } from './note.ts';

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
  const { anyOf, ...schemaWithoutAnyOf } = schema;
  if (anyOf === undefined) {
    return schemaWithoutAnyOf;
  }
  const alternatives = anyOf.map(simplify).filter(({ type }) => type !== 'null');
  const hasNull = alternatives.length < anyOf.length;
  const [singleAlternative] = alternatives;
  if (singleAlternative === undefined || alternatives.length > 1) {
    return { ...schemaWithoutAnyOf, anyOf: hasNull ? [...alternatives, { type: 'null' }] : alternatives };
  }
  return { ...schemaWithoutAnyOf, ...(hasNull ? makeNullable(singleAlternative) : singleAlternative) };
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
  const entry = notes[path];
  const note: SchemaNote | undefined = typeof entry === 'string' ? { text: entry } : entry;
  const { type, ...untypedSchema } = { ...simplify(schema), ...note?.additionalSchema };
  const completeSchema: JsonSchema =
    type === undefined || note?.isTypeLinted === true ? untypedSchema : { type, ...untypedSchema };
  const {
    properties,
    items,
    enum: enumValues,
    required: _contractRequired,
    minLength: _minLength,
    ...keptSchema
  } = completeSchema;
  const baseSchema =
    note?.valueDescriptions === undefined && enumValues !== undefined
      ? { ...keptSchema, enum: enumValues }
      : keptSchema;
  const prefix = path === '' ? '' : `${path}.`;
  const requiredKeys = Object.keys(properties ?? {}).filter((key) => required.includes(`${prefix}${key}`));
  return {
    ...createTypeMessageSchema(baseSchema, path),
    ...annotateAlternatives(baseSchema, path, notes, required),
    ...(note === undefined ? {} : createNoteSchema(baseSchema, note)),
    ...(requiredKeys.length > 0 ? { required: requiredKeys } : {}),
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
  const { anyOf, ...schemaWithoutAnyOf } = schema;
  const notesForAlternatives: SchemaNotes = { ...notes, [path]: { text: '' } };
  return anyOf === undefined
    ? schemaWithoutAnyOf
    : {
        ...schemaWithoutAnyOf,
        anyOf: anyOf
          .map((alternative) =>
            removeDescriptions(annotate(alternative, path, notesForAlternatives, required)),
          )
          .map((alternative) => ({ ...alternative, ...createTypeMessageSchema(schema, path) })),
      };
}

/** The names of JSON types in messages, as in those of our own checks. */
const typeNames: Readonly<Record<string, readonly string[]>> = {
  string: ['a string'],
  number: ['a number'],
  integer: ['a whole number'],
  array: ['an array'],
  object: ['an object'],
  boolean: ['true', 'false'],
};

const alternativesFormat = new Intl.ListFormat('en-US', { type: 'disjunction' });

/** Creates the error message for a value of another type; VS Code's own message would name the types of JSON Schema. */
function createTypeMessageSchema(schema: JsonSchema, path: string): JsonSchema {
  const types = new Set([schema, ...(schema.anyOf ?? [])].flatMap(({ type }) => type ?? []));
  // `null` is the same as a missing value, so no message asks for it.
  const names = Object.keys(typeNames)
    .filter((type) => types.has(type))
    .flatMap((type) => typeNames[type] ?? []);
  return names.length === 0
    ? {}
    : { errorMessage: `${describePath(path)} must be ${alternativesFormat.format(names)}.` };
}

function describePath(path: string): string {
  if (path === '') {
    return 'The document';
  }
  const key = path.replace(/(\[\])+$/, '').replace(/^.*\./, '');
  if (!path.endsWith('[]')) {
    return `"${key}"`;
  }
  return key === '' ? 'Each item' : `Each item of "${key}"`;
}

function removeDescriptions({
  description: _plain,
  markdownDescription: _marked,
  ...undescribedSchema
}: JsonSchema): JsonSchema {
  return undescribedSchema;
}

/** Creates the schema keywords for a note: descriptions, allowed values, initial values, deprecations. */
function createNoteSchema(schema: JsonSchema, note: SchemaNote): JsonSchema {
  const isNullable = [schema.type ?? []].flat().includes('null');
  return {
    description: note.text.replaceAll('`', '"'),
    markdownDescription: note.text,
    ...(note.valueDescriptions === undefined
      ? {}
      : createEnumSchema(note.valueDescriptions, note, isNullable)),
    ...(note.pattern === undefined ? {} : { pattern: note.pattern, patternErrorMessage: note.errorMessage }),
    ...(note.isServerManaged === true || note.isDeprecated === true ? { doNotSuggest: true } : {}),
    ...(note.initialValue === undefined ? {} : { defaultSnippets: [{ body: note.initialValue }] }),
    ...(note.snippets === undefined ? {} : { defaultSnippets: note.snippets }),
  };
}

function createEnumSchema(
  descriptions: Readonly<Record<string, string>>,
  note: SchemaNote,
  isNullable: boolean,
): JsonSchema {
  if (note.areValuesLinted === true) {
    return { defaultSnippets: createValueSnippets(descriptions) };
  }
  if (note.isCaseInsensitive === true) {
    const toCaseInsensitivePattern = (word: string): string =>
      word.replaceAll(/[a-z]/g, (c) => `[${c}${c.toUpperCase()}]`);
    return {
      type: isNullable ? ['string', 'null'] : 'string',
      pattern: `^(${Object.keys(descriptions).map(toCaseInsensitivePattern).join('|')})$`,
      patternErrorMessage: note.errorMessage,
      defaultSnippets: createValueSnippets(descriptions),
    };
  }
  return {
    enum: [...Object.keys(descriptions), ...(isNullable ? [null] : [])],
    enumDescriptions: [...Object.values(descriptions), ...(isNullable ? ['Nothing.'] : [])],
    errorMessage: note.errorMessage,
  };
}

const createValueSnippets = (descriptions: Readonly<Record<string, string>>): readonly SchemaSnippet[] =>
  Object.entries(descriptions).map(([body, description]) => ({ label: body, description, body }));
