import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { english } from '../../../../src/base/localize.ts';
import type * as parsing from '../../../../src/json/text/parseJsonTree.ts';
import { catalog } from '../../viewpoints/support.ts';

/** Loads the modules that read open documents, with a parser that counts its calls. */
const loadModules = async () => ({
  ...(await import('../../../../src/base/versionedTextCache.ts')),
  ...(await import('../../../../src/documents/findColumnSpan.ts')),
  ...(await import('../../../../src/documents/relationHints.ts')),
  ...(await import('../../../../src/json/language/complete.ts')),
  ...(await import('../../../../src/json/language/outline.ts')),
  ...(await import('../../../../src/json/language/problems.ts')),
  ...(await import('../../../../src/json/language/rename.ts')),
  ...(await import('../../../../src/json/language/catalogReference.ts')),
  ...(await import('../../../../src/json/language/datamodelTitle.ts')),
  ...(await import('../../../../src/json/text/jsonTrees.ts')),
  ...(await import('../../../../src/json/text/pathRange.ts')),
  ...(await import('../../../../src/webviews/protocol/formSync.ts')),
  ...(await import('../../../../src/sql/embedded/failureRange.ts')),
  ...(await import('../../../../src/sql/embedded/tableJson.ts')),
  ...(await import('../../../../src/viewpoints/lint/lint.ts')),
  ...(await import('../../../../src/viewpoints/datamodelLookup.ts')),
});
const parserPath = '../../../../src/json/text/parseJsonTree.ts';
let parseCount = 0;
let modules: Awaited<ReturnType<typeof loadModules>>;

beforeAll(async () => {
  vi.resetModules();
  vi.doMock(parserPath, async (original) => {
    const realModule = await original<typeof parsing>();
    return {
      ...realModule,
      parseJsonTree: (text: string) => {
        parseCount += 1;
        return realModule.parseJsonTree(text);
      },
    };
  });
  modules = await loadModules();
});

afterAll(() => {
  vi.doUnmock(parserPath);
  vi.resetModules();
});

beforeEach(() => {
  parseCount = 0;
});

const noNames = { apps: [], groups: [], users: [], datamodels: [], getMembers: () => [] };

/** Types the end of a text; each version is passed to the features twice. Returns the number of versions. */
function typeText(text: string, useFeatures: (json: parsing.JsonDocument) => void) {
  const cache = new modules.VersionedTextCache<parsing.JsonDocument>();
  const document = { version: 0, text: '', getText: () => document.text };
  for (let end = text.length - 20; end <= text.length; end += 1) {
    document.version += 1;
    document.text = text.slice(0, end);
    useFeatures(modules.getJsonTree(cache, document));
    useFeatures(modules.getJsonTree(cache, document));
  }
  return document.version;
}

test.each(['viewpoint', 'rule', 'rules'] as const)('a %s is parsed once per keystroke', (kind) => {
  const model = new modules.DatamodelLookup(catalog);
  const column = '{"table": "Order", "column": "Statu", "dim": "[Orders.Status]", "datatype": "dat"}';
  const text =
    kind === 'viewpoint'
      ? `{"name": "a", "details": {"columns": [${column}, ${column}]}, "visibility": {"apps": []}}`
      : kind === 'rule'
        ? column
        : `[${column}, ${column}]`;
  const versions = typeText(text, (json) => {
    const { length } = json.text;
    modules.findDatamodelTitle(kind, json);
    modules.getJsonOutline(english, kind, json);
    modules.getJsonCompletions(kind, json, length - 3, { model, instanceNames: noNames });
    const subject = modules.getCatalogReferenceAt(kind, json, json.text.indexOf('Order') + 2, model);
    if (subject !== undefined) {
      modules.getJsonRenameEdits(kind, json, subject, 'New', model);
    }
    for (const problem of modules.getDocumentProblems(kind, json, catalog)) {
      modules.getDocumentFixes(kind, json, problem, catalog);
    }
  });
  expect(parseCount).toBe(versions);
});

test('a viewpoint in its form is parsed once per keystroke', () => {
  const text = '{"name": "a", "details": {"columns": [{"table": "Orders"}, {"table": "Orders"}]}}';
  const kind = { emptyValue: {}, apply: () => ({ name: 'b' }), rebase: () => undefined };
  const forms: InstanceType<typeof modules.FormSync<never>>[] = [];
  let currentJson: parsing.JsonDocument | undefined;
  const document = {
    get json() {
      return (
        currentJson ??
        modules.getJsonTree(new modules.VersionedTextCache(), { version: 0, getText: () => '' })
      );
    },
    isReadOnly: false,
    apply: () => Promise.resolve(false),
  };
  const versions = typeText(text, (json) => {
    currentJson = json;
    forms.push(new modules.FormSync<never>(document, kind, () => undefined));
    for (const form of forms) {
      form.handleTextChange();
    }
    modules.lintParsedViewpoint(json, new modules.DatamodelLookup(catalog));
    modules.getPathRange(json, ['details', 'columns', 1]);
  });
  expect(parseCount).toBe(versions);
});

test('a table, column and relation are parsed once per keystroke', () => {
  const text =
    '{"name": "Orders", "expression": "SELECT 1", "columns": [{"oid": "c", "name": "a", "expression": "[b]"}]}';
  const versions = typeText(text, (json) => {
    for (const kind of ['table', 'column'] as const) {
      modules.findEmbeddedExpressions(json, kind);
    }
    modules.findDocumentNameAt(json, 11);
    modules.findDocumentNameRange(json, 'a');
    modules.findFailureRange(json, 'no such column: b');
    modules.findColumnSpan(json, 'c');
    modules.getRelationHints(json, { oid: 'm', title: 'Retail', datasets: [] });
  });
  expect(parseCount).toBe(versions);
});
