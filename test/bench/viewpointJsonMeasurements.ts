import { getLanguageService, TextDocument } from 'vscode-json-languageservice';
import { getJsonCompletions } from '../../src/json/language/complete.ts';
import type { LanguageContext } from '../../src/json/language/languageContext.ts';
import { getDocumentProblems } from '../../src/json/language/problems.ts';
import { parseJsonTree } from '../../src/json/text/parseJsonTree.ts';
import { schemaDocumentKinds, createDocumentSchema } from '../../src/packaging/schemas/documents.ts';
import type { Catalog } from '../../src/sql/catalog.ts';
import { DatamodelLookup } from '../../src/viewpoints/datamodelLookup.ts';
import { compare, measureCpuMs } from './harness/bench.ts';

/**
 * Validation and completion in a viewpoint of 2,000 columns on a datamodel of 500 tables × 40 columns. As in the product,
 * our code adds its results to those of VS Code's own JSON service, which knows only the schema. The ratio is the time of
 * both divided by the time of the JSON service.
 */

const catalog: Catalog = {
  complete: true,
  tables: Array.from({ length: 500 }, (_table, table) => ({
    name: `Table ${table}`,
    columns: Array.from({ length: 40 }, (_column, column) => ({
      name: `Column ${column}`,
      type: [18, 8, 5, 4][column % 4] ?? 18,
    })),
  })),
};
const datatypes = ['text', 'numeric', 'numeric', 'datetime'];

const columns = Array.from({ length: 2000 }, (_item, index) => {
  const [table, column] = [`Table ${index % 500}`, `Column ${index % 40}`];
  const isDate = index % 4 === 3;
  return {
    table,
    column,
    dim: `[${table}.${column}${isDate ? ' (Calendar)' : ''}]`,
    datatype: datatypes[index % 4],
    title: `Title of ${index}`,
    ...(isDate ? { level: 'days' } : {}),
    filter: { members: ['a', 'b'], explicit: true, multiSelection: true },
    format: [{ mask: { type: 'number', decimals: 2 } }],
    infusion: { header: index % 2 === 0 },
  };
});
const viewpoint = {
  name: 'Everything',
  description: 'All columns',
  details: { datasource: { title: 'Large', modelType: 'external' }, columns },
  visibility: { apps: ['slack'], groups: ['Sales'], users: [] },
};
const text = JSON.stringify(viewpoint, undefined, 2);
const dimOffset = text.lastIndexOf('"[Table ') + 8;

const service = getLanguageService({});
const kind = schemaDocumentKinds.find(({ suffix }) => suffix === 'viewpoint');
const schema = kind === undefined ? {} : createDocumentSchema(kind);
service.configure({ schemas: [{ uri: 'bench', fileMatch: ['*'], schema }] });

const createContext = (): LanguageContext => ({
  model: new DatamodelLookup(catalog),
  instanceNames: { apps: [], groups: [], users: [], datamodels: [], getMembers: () => [] },
});
const languageContext = createContext();

/**
 * Compares the time of our code and the JSON service together with the time of the JSON service alone. In the product,
 * both also process the same text one after the other.
 */
const benchAgainstJsonService = (
  line: { readonly name: string; readonly what: string },
  runOurs: () => unknown,
  runJsonService: () => Promise<unknown>,
): Promise<void> => {
  const measure = (run: () => unknown): Promise<number> => {
    globalThis.gc?.();
    return measureCpuMs(run);
  };
  return compare(
    {
      ...line,
      baseline: '`vscode-json-languageservice`, its schema alone',
      limit: 1.5,
      warmups: 3,
      details: { bytes: text.length },
    },
    {
      subject: () =>
        measure(async () => {
          runOurs();
          await runJsonService();
        }),
      base: () => measure(runJsonService),
    },
  );
};

let version = 0;
const createDocument = () => {
  version += 1;
  return TextDocument.create('file:///bench.viewpoint.json', 'jsonc', version, text);
};

await benchAgainstJsonService(
  { name: 'validation', what: 'Problems of a viewpoint of 1.1 MB, schema included' },
  () => getDocumentProblems('viewpoint', parseJsonTree(text), catalog),
  async () => {
    const document = createDocument();
    return service.doValidation(document, service.parseJSONDocument(document));
  },
);
await benchAgainstJsonService(
  { name: 'completion', what: 'Completion in a viewpoint of 1.1 MB, schema included' },
  () => getJsonCompletions('viewpoint', parseJsonTree(text), dimOffset, languageContext),
  async () => {
    const document = createDocument();
    return service.doComplete(document, document.positionAt(dimOffset), service.parseJSONDocument(document));
  },
);
