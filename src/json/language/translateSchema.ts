import type { Localize } from '../../base/localize.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';

/** Keywords whose value is part of a document, not a text for the user. */
const documentKeywords: ReadonlySet<string> = new Set(['body', 'const', 'default', 'enum', 'examples']);

/** Keywords with one text, or a list of texts. {@link translateKeyword} handles those that depend on other keywords. */
const textKeywords: ReadonlySet<string> = new Set(['description', 'enumDescriptions', 'patternErrorMessage']);

/** Translates the descriptions, suggestions, and error messages of a JSON schema. */
export function translateSchema(schema: JsonValue, localize: Localize): JsonValue {
  if (Array.isArray(schema)) {
    return schema.map((item: JsonValue) => translateSchema(item, localize));
  }
  return isJsonObject(schema)
    ? Object.fromEntries(
        Object.entries(schema).map(([key, value]) => [key, translateKeyword(schema, key, value, localize)]),
      )
    : schema;
}

function translateKeyword(schema: JsonObject, key: string, value: JsonValue, localize: Localize): JsonValue {
  const { markdownDescription: markdown, body } = schema;
  // A suggestion that inserts a number is described with the platform's name for it, which is not translated.
  if (typeof body === 'number') {
    return value;
  }
  if (documentKeywords.has(key)) {
    return value;
  }
  if (Array.isArray(value) && textKeywords.has(key)) {
    return value.map((text: JsonValue) => (typeof text === 'string' ? localize(text) : text));
  }
  if (typeof value !== 'string') {
    return translateSchema(value, localize);
  }
  if (key === 'markdownDescription') {
    return localize(value);
  }
  if (key === 'description' && typeof markdown === 'string') {
    // The same text for editors that don't show Markdown.
    return localize(markdown).replaceAll('`', '"');
  }
  if (key === 'errorMessage') {
    return translateErrorMessage(value, localize);
  }
  // A suggestion that inserts a word is labeled with the word.
  const isText = textKeywords.has(key) || (key === 'label' && typeof body !== 'string');
  return isText ? localize(value) : value;
}

/** Translates a message; if it is about a type, the name of the property is inserted as an argument. */
function translateErrorMessage(message: string, localize: Localize): string {
  const [, items, property, expected] = /^(Each item of )?"(.*)" must be (.*)\.$/.exec(message) ?? [];
  if (property === undefined || expected === undefined) {
    return localize(message);
  }
  return items === undefined
    ? localize('"{0}" must be {1}.', property, localize(expected))
    : localize('Each item of "{0}" must be {1}.', property, localize(expected));
}
