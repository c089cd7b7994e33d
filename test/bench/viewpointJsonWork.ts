import { getLanguageService, TextDocument } from 'vscode-json-languageservice';
import { getJsonCompletions } from '../../src/json/language/complete.ts';
import type { LanguageContext } from '../../src/json/language/context.ts';
import { getDocumentProblems } from '../../src/json/language/problems.ts';
import { parseJson } from '../../src/json/text/parseJson.ts';
import { schemaDocumentKinds, createDocumentSchema } from '../../src/packaging/schemas/documents.ts';
import type { Catalog } from '../../src/sql/catalog.ts';
import { DatamodelLookup } from '../../src/viewpoints/model.ts';
import { getMedian, printFigure, roundTo } from './report.ts';

/**
 * Validation and completion on a viewpoint of 2,000 columns over a datamodel of 500 tables × 40 columns, compared with
 * VS Code's own JSON service doing only the schema part in the same run. The user waits for both: in the product, too,
 * the schema part is VS Code's own work.
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
    filter: { getMembers: ['a', 'b'], explicit: true, multiSelection: true },
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
const dim = text.lastIndexOf('"[Table ') + 8;

const service = getLanguageService({});
const kind = schemaDocumentKinds.find(({ suffix }) => suffix === 'viewpoint');
const schema = kind === undefined ? {} : createDocumentSchema(kind);
service.configure({ schemas: [{ uri: 'bench', fileMatch: ['*'], schema }] });

const context = (): LanguageContext => ({
  model: new DatamodelLookup(catalog),
  instanceNames: { apps: [], groups: [], users: [], datamodels: [], getMembers: () => [] },
});
const model = context();

/** CPU milliseconds of this thread, independent of other load on the machine. */
const workBetween = (from: NodeJS.CpuUsage, to: NodeJS.CpuUsage): number =>
  (to.user + to.system - from.user - from.system) / 1000;

/** The median work of both parts divided by that of the schema part; each iteration measures both. */
async function benchAgainst(
  bench: string,
  ours: () => unknown,
  theirs: () => Promise<unknown>,
): Promise<void> {
  const [own, other, ratios]: [number[], number[], number[]] = [[], [], []];
  for (let turn = -3; turn < rounds; turn += 1) {
    globalThis.gc?.();
    const before = process.threadCpuUsage();
    ours();
    const between = process.threadCpuUsage();
    await theirs();
    const after = process.threadCpuUsage();
    if (turn >= 0) {
      const [mine, its] = [workBetween(before, between), workBetween(between, after)];
      own.push(mine);
      other.push(its);
      ratios.push((mine + its) / its);
    }
  }
  printFigure({
    bench,
    beside: 'vscode-json-languageservice, the schema part',
    ratio: roundTo(getMedian(ratios)),
    ours_cpu_ms: roundTo(getMedian(own), 1),
    theirs_cpu_ms: roundTo(getMedian(other), 1),
    limit: 1.5,
    bytes: text.length,
  });
}

let version = 0;
const opened = () => {
  version += 1;
  return TextDocument.create('file:///bench.viewpoint.json', 'jsonc', version, text);
};

await benchAgainst(
  'viewpointJson.validation',
  () => getDocumentProblems('viewpoint', parseJson(text), catalog),
  async () => {
    const document = opened();
    return service.doValidation(document, service.parseJSONDocument(document));
  },
);
await benchAgainst(
  'viewpointJson.completion',
  () => getJsonCompletions('viewpoint', parseJson(text), dim, model),
  async () => {
    const document = opened();
    return service.doComplete(document, document.positionAt(dim), service.parseJSONDocument(document));
  },
);
