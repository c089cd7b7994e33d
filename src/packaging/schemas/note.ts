/** A JSON schema (draft 7) with VS Code's extensions. */
export interface JsonSchema {
  type?: string | string[];
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  required?: string[];
  enum?: unknown[];
  [key: string]: unknown;
}

/** Documentation and suggestions for a property, added to the schema that is generated from the contract. */
export interface SchemaNote {
  /** The description, in Markdown for hovers. */
  readonly text: string;
  /** The value that a completion of the property inserts. */
  readonly initialValue?: unknown;
  /** The allowed values with their descriptions. */
  readonly valueDescriptions?: Readonly<Record<string, string>>;
  /** The error message for a value that isn't allowed or does not match `pattern`. */
  readonly errorMessage?: string;
  /** True if our own checks report other values, with a fix: the schema then only proposes the allowed ones. */
  readonly areValuesLinted?: boolean;
  /** True if our own checks report values of other types. */
  readonly isTypeLinted?: boolean;
  /** True if the allowed values also occur in upper case (platform-facts.md, 2.1). */
  readonly isCaseInsensitive?: boolean;
  /** A pattern to validate values that are not in the schema because they are completed by code. */
  readonly pattern?: string;
  /** True for a deprecated property, which is not suggested. Our own checks report it. */
  readonly isDeprecated?: boolean;
  /** True if the server assigns the property. It is not suggested. */
  readonly isServerManaged?: boolean;
  /** Schema keywords to add where the contract allows any value. */
  readonly additionalSchema?: JsonSchema;
  readonly snippets?: readonly SchemaSnippet[];
}

export interface SchemaSnippet {
  readonly label: string;
  readonly description: string;
  /** The JSON to insert; `$1` and `${2:word}` are tab stops. */
  readonly body: unknown;
}

/** Notes by path, such as `details.columns[].title`; the empty path is the document itself. */
export type SchemaNotes = Readonly<Record<string, SchemaNote | string>>;
