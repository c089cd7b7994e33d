import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type DocumentLanguageSettings,
  getLanguageService,
  type LanguageService,
  TextDocument,
} from 'vscode-json-languageservice';
import { createDocumentSchema, schemaDocumentKinds } from '../../src/packaging/schemas/documents.ts';
import type { JsonSchema } from '../../src/packaging/schemas/note.ts';
import {
  createProjectSchema,
  environmentSchemaKind,
  projectSchemaKinds,
} from '../../src/packaging/schemas/projectDocuments.ts';

const manifest: {
  readonly contributes: {
    readonly jsonValidation: readonly {
      readonly fileMatch: string | readonly string[];
      readonly url: string;
    }[];
  };
} = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));

/** The schemas by their names, as the build writes them. */
const schemas: ReadonlyMap<string, JsonSchema> = new Map([
  ...schemaDocumentKinds.map((kind) => [kind.suffix, createDocumentSchema(kind)] as const),
  ...[...projectSchemaKinds, environmentSchemaKind].map(
    (kind) => [kind.suffix, createProjectSchema(kind)] as const,
  ),
]);

/** VS Code's own JSON service with our schemas, associated as in the manifest. */
export function createEditorJsonService(): LanguageService {
  const service = getLanguageService({});
  service.configure({
    validate: true,
    schemas: manifest.contributes.jsonValidation.map(({ fileMatch, url }) => {
      const [, name = ''] = /^datamodel-schema:\/\/schemas\/(.*)\.json$/.exec(url) ?? [];
      // The editor's client puts a slash before patterns without a scheme.
      const patterns = [fileMatch]
        .flat()
        .map((pattern) => (/^(\w+:\/\/|\/|!)/.test(pattern) ? pattern : `/${pattern}`));
      return { uri: url, fileMatch: patterns, schema: schemas.get(name) ?? {} };
    }),
  });
  return service;
}

/** A problem that VS Code's JSON service reports. */
export interface EditorJsonProblem {
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

/** @param settings the settings of the service; by default, those of JSON with comments */
export async function validateLikeEditor(
  service: LanguageService,
  text: string,
  uri: string,
  settings: DocumentLanguageSettings = { comments: 'ignore', trailingCommas: 'warning' },
): Promise<readonly EditorJsonProblem[]> {
  const document = TextDocument.create(uri, 'jsonc', 1, text);
  const diagnostics = await service.doValidation(document, service.parseJSONDocument(document), settings);
  return diagnostics.map(({ message, range }) => ({
    message: typeof message === 'string' ? message : message.value,
    start: document.offsetAt(range.start),
    end: document.offsetAt(range.end),
  }));
}
