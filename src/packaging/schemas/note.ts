/** A schema of draft 7 with what VS Code understands beyond it. */
export interface JsonSchema {
  type?: string | string[];
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  required?: string[];
  enum?: unknown[];
  [key: string]: unknown;
}

/** What a person should know of a property; put onto the schema that is made from the contract. */
export interface SchemaNote {
  /** Markdown, since hovers show it so. Of our own words only. */
  readonly text: string;
  /** What a property of that name starts with when it is proposed. */
  readonly start?: unknown;
  /** The only words that it may be, each with what it means. */
  readonly wordMeanings?: Readonly<Record<string, string>>;
  /** What is told when it is none of the words. */
  readonly wrong?: string;
  /** Whether the words are met in upper case too (platform-facts 2.1). */
  readonly anyCase?: boolean;
  /** A pattern, where the words are proposed by those who know the datamodel. */
  readonly pattern?: string;
  readonly deprecated?: string;
  /** Made by the server: not proposed. */
  readonly isServerMade?: boolean;
  /** What is known beyond the contract, which tolerates anything there. */
  readonly adds?: JsonSchema;
  readonly snippets?: readonly SchemaSnippet[];
}

export interface SchemaSnippet {
  readonly label: string;
  readonly description: string;
  /** JSON; `$1`, `${2:word}` are places to type at. */
  readonly body: unknown;
}

/** Notes by path: `details.columns[].title`; the empty path is the document. */
export type SchemaNotes = Readonly<Record<string, SchemaNote | string>>;
