import type { JsonSchema } from './note.ts';

/** The keywords that only VS Code knows; `description` contains the text of `markdownDescription`. */
const editorKeywords: ReadonlySet<string> = new Set([
  'allowComments',
  'allowTrailingCommas',
  'defaultSnippets',
  'doNotSuggest',
  'enumDescriptions',
  'errorMessage',
  'markdownDescription',
  'patternErrorMessage',
]);

/** Returns a schema for other programs: without the keywords that only VS Code knows. */
export function toPlainSchema({ properties, ...schema }: JsonSchema): JsonSchema {
  return {
    ...Object.fromEntries(
      Object.entries(schema)
        .filter(([name]) => !editorKeywords.has(name))
        .map(([name, value]) => [name, toPlainValue(value)]),
    ),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, property]) => [name, toPlainSchema(property)]),
          ),
        }),
  };
}

/** Converts the schemas in the value of a keyword to plain schemas. */
const toPlainValue = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(toPlainValue)
    : typeof value === 'object' && value !== null
      ? toPlainSchema(value as JsonSchema)
      : value;
