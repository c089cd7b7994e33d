import type { JsonSchema } from './note.ts';

/** The keywords that only VS Code knows; the descriptions are also there as plain text. */
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
        .map(([name, value]) => [name, simplify(value)]),
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

/** Simplifies the schemas in the value of a keyword. */
const simplify = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(simplify)
    : typeof value === 'object' && value !== null
      ? toPlainSchema(value as JsonSchema)
      : value;
