/** A draft 7 schema with VS Code's extensions. */
export interface JsonSchema {
  type?: string | string[];
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  required?: string[];
  enum?: unknown[];
  [key: string]: unknown;
}

/** Documentation of a property; added to the schema that is generated from the contract. */
export interface SchemaNote {
  /** Markdown, since hovers render it. Only the product's own text. */
  readonly text: string;
  /** The initial value of the property when it is suggested. */
  readonly start?: unknown;
  /** The only allowed keywords, each with its meaning. */
  readonly wordMeanings?: Readonly<Record<string, string>>;
  /** The error message for any other keyword. */
  readonly wrong?: string;
  /** True if the keywords also occur in upper case (platform-facts.md, 2.1). */
  readonly anyCase?: boolean;
  /** A pattern, for when the keywords are suggested by code that knows the datamodel. */
  readonly pattern?: string;
  readonly deprecated?: string;
  /** Created by the server: not suggested. */
  readonly isServerMade?: boolean;
  /** Known facts beyond the contract, which tolerates anything there. */
  readonly adds?: JsonSchema;
  readonly snippets?: readonly SchemaSnippet[];
}

export interface SchemaSnippet {
  readonly label: string;
  readonly description: string;
  /** JSON; `$1`, `${2:word}` are tab stops. */
  readonly body: unknown;
}

/** Notes by path: `details.columns[].title`; the empty path is the document. */
export type SchemaNotes = Readonly<Record<string, SchemaNote | string>>;
