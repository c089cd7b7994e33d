import { getLanguageService, TextDocument } from 'vscode-json-languageservice';
import { getJsonCompletions } from '../../src/json/language/complete.ts';
import type { LanguageContext } from '../../src/json/language/context.ts';
import { getDocumentProblems } from '../../src/json/language/problems.ts';
import { parseJson } from '../../src/json/text/parseJson.ts';
import { schemaDocumentKinds, createDocumentSchema } from '../../src/packaging/schemas/documents.ts';
import type { Catalog } from '../../src/sql/catalog.ts';
import { DatamodelLookup } from '../../src/viewpoints/datamodelLookup.ts';
import { getMedian, printFigure, roundTo } from './report.ts';

/**
 * Validation and completion in a viewpoint of 2,000 columns on a datamodel of 500 tables × 40 columns. As in the product,
 * our code adds its results to those of VS Code's own JSON service, which knows only the schema. The ratio is the time of
 * both divided by the time of the JSON service.
 */
const rounds = 15;

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

/** CPU milliseconds of this thread, independent of other load on the machine. */
const getCpuMs = (start: NodeJS.CpuUsage, end: NodeJS.CpuUsage): number =>
  (end.user + end.system - start.user - start.system) / 1000;

/** Prints the median ratio of the time of both to the time of the JSON service; each iteration measures both. */
async function benchAgainstJsonService(
  bench: string,
  runOurs: () => unknown,
  runJsonService: () => Promise<unknown>,
): Promise<void> {
  const [ourTimes, editorTimes, ratios]: [number[], number[], number[]] = [[], [], []];
  for (let roundIndex = -3; roundIndex < rounds; roundIndex += 1) {
    globalThis.gc?.();
    const before = process.threadCpuUsage();
    runOurs();
    const between = process.threadCpuUsage();
    await runJsonService();
    const after = process.threadCpuUsage();
    if (roundIndex >= 0) {
      const [ourMs, editorMs] = [getCpuMs(before, between), getCpuMs(between, after)];
      ourTimes.push(ourMs);
      editorTimes.push(editorMs);
      ratios.push((ourMs + editorMs) / editorMs);
    }
  }
  printFigure({
    bench,
    baseline: 'vscode-json-languageservice, the schema part',
    ratio: roundTo(getMedian(ratios)),
    ours_cpu_ms: roundTo(getMedian(ourTimes), 1),
    theirs_cpu_ms: roundTo(getMedian(editorTimes), 1),
    limit: 1.5,
    bytes: text.length,
  });
}

let version = 0;
const createDocument = () => {
  version += 1;
  return TextDocument.create('file:///bench.viewpoint.json', 'jsonc', version, text);
};

await benchAgainstJsonService(
  'viewpointJson.validation',
  () => getDocumentProblems('viewpoint', parseJson(text), catalog),
  async () => {
    const document = createDocument();
    return service.doValidation(document, service.parseJSONDocument(document));
  },
);
await benchAgainstJsonService(
  'viewpointJson.completion',
  () => getJsonCompletions('viewpoint', parseJson(text), dimOffset, languageContext),
  async () => {
    const document = createDocument();
    return service.doComplete(document, document.positionAt(dimOffset), service.parseJSONDocument(document));
  },
);
