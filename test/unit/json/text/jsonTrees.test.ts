import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type * as parsing from '../../../../src/json/text/parseJson.ts';
import { catalog } from '../../viewpoints/support.ts';

/** The readers of open documents, loaded with a parser that counts. */
const load = async () => ({
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
  ...(await import('../../../../src/viewpoints/model.ts')),
});
const reader = '../../../../src/json/text/parseJson.ts';
let parses = 0;
let readers: Awaited<ReturnType<typeof load>>;

beforeAll(async () => {
  vi.resetModules();
  vi.doMock(reader, async (original) => {
    const real = await original<typeof parsing>();
    return {
      ...real,
      parseJson: (text: string) => {
        parses += 1;
        return real.parseJson(text);
      },
    };
  });
  readers = await load();
});

afterAll(() => {
  vi.doUnmock(reader);
  vi.resetModules();
});

beforeEach(() => {
  parses = 0;
});

const seen = { apps: [], groups: [], users: [], datamodels: [], getMembers: () => [] };

/** A document that is being typed, with every version read by all features for its type. */
function typing(text: string, look: (json: parsing.JsonDocument) => void) {
  const trees = new readers.VersionedTextCache<parsing.JsonDocument>();
  const document = { version: 0, text: '', getText: () => document.text };
  for (let end = text.length - 20; end <= text.length; end += 1) {
    document.version += 1;
    document.text = text.slice(0, end);
    look(readers.getJsonTree(trees, document));
    look(readers.getJsonTree(trees, document));
  }
  return document.version;
}

test.each(['viewpoint', 'rule', 'rules'] as const)('a %s is parsed once per keystroke', (kind) => {
  const model = new readers.DatamodelLookup(catalog);
  const column = '{"table": "Order", "column": "Statu", "dim": "[Orders.Status]", "datatype": "dat"}';
  const text =
    kind === 'viewpoint'
      ? `{"name": "a", "details": {"columns": [${column}, ${column}]}, "visibility": {"apps": []}}`
      : kind === 'rule'
        ? column
        : `[${column}, ${column}]`;
  const versions = typing(text, (json) => {
    const { length } = json.text;
    readers.findDatamodelTitle(kind, json);
    readers.getJsonOutline(kind, json);
    readers.getJsonCompletions(kind, json, length - 3, { model, instanceNames: seen });
    const subject = readers.getCatalogReferenceAt(kind, json, json.text.indexOf('Order') + 2, model);
    if (subject !== undefined) {
      readers.getJsonRenameEdits(kind, json, subject, 'New', model);
    }
    for (const problem of readers.getDocumentProblems(kind, json, catalog)) {
      readers.getDocumentFixes(kind, json, problem, catalog);
    }
  });
  expect(parses).toBe(versions);
});

test('a viewpoint in its form is parsed once per keystroke', () => {
  const text = '{"name": "a", "details": {"columns": [{"table": "Orders"}, {"table": "Orders"}]}}';
  const kind = { emptyValue: {}, apply: () => ({ name: 'b' }), rebase: () => undefined };
  const forms: InstanceType<typeof readers.FormSync<never>>[] = [];
  let now: parsing.JsonDocument | undefined;
  const document = {
    get json() {
      return now ?? readers.getJsonTree(new readers.VersionedTextCache(), { version: 0, getText: () => '' });
    },
    isReadOnly: false,
    apply: () => Promise.resolve(false),
  };
  const versions = typing(text, (json) => {
    now = json;
    forms.push(new readers.FormSync<never>(document, kind, () => undefined));
    for (const form of forms) {
      form.handleTextChange();
    }
    readers.lintDocument(json, new readers.DatamodelLookup(catalog));
    readers.getPathRange(json, ['details', 'columns', 1]);
  });
  expect(parses).toBe(versions);
});

test('a table, column and relation are parsed once per keystroke', () => {
  const text =
    '{"name": "Orders", "expression": "SELECT 1", "columns": [{"oid": "c", "name": "a", "expression": "[b]"}]}';
  const versions = typing(text, (json) => {
    for (const kind of ['table', 'column'] as const) {
      readers.findEmbeddedExpressions(json, kind);
    }
    readers.findNameAt(json, 11);
    readers.findNameRange(json, 'a');
    readers.findFailureRange(json, 'no such column: b');
    readers.findColumnSpan(json, 'c');
    readers.getRelationHints(json, { oid: 'm', title: 'Retail', datasets: [] });
  });
  expect(parses).toBe(versions);
});
