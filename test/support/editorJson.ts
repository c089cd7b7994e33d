import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type DocumentLanguageSettings,
  getLanguageService,
  type LanguageService,
  TextDocument,
} from 'vscode-json-languageservice';
import { createDocumentSchema, schemaDocumentKinds } from '../../src/packaging/schemas/documents.ts';

const manifest: {
  readonly contributes: { readonly jsonValidation: readonly { fileMatch: string; url: string }[] };
} = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));

/** VS Code's own JSON service with our schemas, associated as in the manifest. */
export function createEditorJsonService(): LanguageService {
  const service = getLanguageService({});
  service.configure({
    validate: true,
    schemas: manifest.contributes.jsonValidation.map(({ fileMatch, url }) => {
      const kind = schemaDocumentKinds.find(
        ({ suffix }) => url === `datamodel-schema://schemas/${suffix}.json`,
      );
      // The editor's client puts a slash before patterns without a scheme.
      const pattern = /^(\w+:\/\/|\/|!)/.test(fileMatch) ? fileMatch : `/${fileMatch}`;
      return { uri: url, fileMatch: [pattern], schema: kind === undefined ? {} : createDocumentSchema(kind) };
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

/** @param settings those of JSON with comments by default */
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
