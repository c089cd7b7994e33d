import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RuleSubject } from '../../../src/catalog/ruleSubject.ts';
import {
  type DocumentRef,
  createDocumentPath,
  readDocumentPath,
  getDocumentAddress,
  getDocumentPath,
  getContainerNames,
  readDocumentAddress,
  getDisplayName,
  getConnectionAndContainerNames,
} from '../../../src/documents/documentAddress.ts';
import { getPropertyRuns } from '../../support/soak.ts';

const oddCharacter = fc.constantFrom(
  '/',
  '%',
  '[',
  ']',
  ' ',
  '.',
  '..',
  '~',
  '\\',
  '\n',
  '😀',
  '%2F',
  'é',
  '\ud800',
  '‮',
);
const name = fc
  .array(fc.oneof(oddCharacter, fc.string({ unit: 'binary' }), fc.string()), { minLength: 1, maxLength: 12 })
  .map((parts) => parts.join('') || 'x');
const longText = fc.string({ unit: 'grapheme', minLength: 200, maxLength: 200 });
const id = fc.oneof(fc.uuid(), name, longText);
const subject: fc.Arbitrary<RuleSubject> = fc.oneof(
  fc.record({ kind: fc.constant('extract' as const), server: id, elasticube: id }),
  fc.record({ kind: fc.constant('live' as const), title: id }),
);
const model = { datamodelId: id };
const table = { ...model, datasetId: id, tableId: id };
const resource: fc.Arbitrary<DocumentRef> = fc.oneof(
  fc.record({ kind: fc.constant('datamodel' as const), ...model }),
  fc.record({ kind: fc.constant('dataset' as const), ...model, datasetId: id }),
  fc.record({ kind: fc.constantFrom('table' as const, 'tableExpression' as const), ...table }),
  fc.record({ kind: fc.constant('columnExpression' as const), ...table, columnId: id }),
  fc.record({ kind: fc.constant('relation' as const), ...model, relationId: id }),
  fc.record({ kind: fc.constant('columnRules' as const), subject, table: id, column: id }),
  fc.record({ kind: fc.constant('rule' as const), subject, ruleId: id }),
  fc.record({ kind: fc.constant('viewpoint' as const), viewpointId: id }),
  fc.record({ kind: fc.constant('customDataObject' as const), objectId: id }),
);
const target = fc.record({
  connectionId: id,
  resource,
  name: fc.oneof(name, longText),
  within: fc.array(fc.oneof(name, longText), { maxLength: 4 }),
});

describe('property: a path', () => {
  test('identifies its document, whatever names and IDs contain', () => {
    fc.assert(
      fc.property(target, ({ connectionId, resource: ref, ...names }) => {
        const path = createDocumentPath({ connectionId, resource: ref, ...names });
        expect(readDocumentPath(path)).toEqual({ connectionId, resource: ref });
      }),
      { numRuns: getPropertyRuns(60) },
    );
  });

  test('is a valid address: no empty segment, no parent segment, no lone surrogate', () => {
    fc.assert(
      fc.property(target, (document) => {
        const parts = createDocumentPath(document).slice(1).split('/');
        expect(parts.length).toBe(document.within.length + 2);
        for (const part of parts) {
          expect(part.isWellFormed()).toBe(true);
          expect(['', '.', '..']).not.toContain(part);
          expect(part).not.toMatch(/[\p{Cc}\\]/u);
        }
      }),
      { numRuns: getPropertyRuns(60) },
    );
  });

  test('differs for different documents', () => {
    fc.assert(
      fc.property(target, target, (a, b) => {
        fc.pre(!isDeepStrictEqual([a.connectionId, a.resource], [b.connectionId, b.resource]));
        expect(createDocumentPath(a)).not.toBe(createDocumentPath(b));
      }),
      { numRuns: getPropertyRuns(60) },
    );
  });

  test('differs if any of the IDs differs', () => {
    fc.assert(
      fc.property(target, fc.nat(), id, (document, idIndex, other) => {
        const ids = Object.entries(document.resource).filter(([key]) => key.endsWith('Id'));
        fc.pre(ids.length > 0);
        const [key = '', originalId] = ids[idIndex % ids.length] ?? [];
        fc.pre(originalId !== other);
        const otherDocument = { ...document, resource: { ...document.resource, [key]: other } };
        expect(createDocumentPath(otherDocument)).not.toBe(createDocumentPath(document));
      }),
      { numRuns: getPropertyRuns(60) },
    );
  });

  test('with other names is not a document', () => {
    fc.assert(
      fc.property(target, (document) => {
        const path = createDocumentPath(document);
        expect(readDocumentPath(path.replace(/\/([^/]*)$/, '/new $1'))).toBeUndefined();
        expect(readDocumentPath(`${path}/more`)).toBeUndefined();
        expect(readDocumentPath(`${path}.txt`)).toBeUndefined();
      }),
      { numRuns: getPropertyRuns(60) },
    );
  });
});

describe('property: an address', () => {
  test('identifies its document, and so does the path alone, which was the address in earlier versions', () => {
    fc.assert(
      fc.property(target, ({ connectionId, resource: ref, ...names }) => {
        const path = createDocumentPath({ connectionId, resource: ref, ...names });
        const address = getDocumentAddress(path);
        expect(getDocumentPath(address)).toBe(path);
        expect(readDocumentAddress(address)).toEqual({ connectionId, resource: ref });
        expect(readDocumentAddress({ path, query: '' })).toEqual({ connectionId, resource: ref });
      }),
      { numRuns: getPropertyRuns(60) },
    );
  });

  test('has only the mark U+2060 and the names in its path, and only characters that no editor escapes in its query', () => {
    fc.assert(
      fc.property(target, (document) => {
        const { path, query } = getDocumentAddress(createDocumentPath(document));
        expect(path.startsWith('/\u2060')).toBe(true);
        expect(path.slice(1).split('/').length).toBe(document.within.length + 1);
        expect(query).toMatch(/^[\w.~-]+$/);
      }),
      { numRuns: getPropertyRuns(60) },
    );
  });

  test('with other names, without the mark, or with a name in its query, is not a document', () => {
    fc.assert(
      fc.property(target, (document) => {
        const { path, query } = getDocumentAddress(createDocumentPath(document));
        expect(readDocumentAddress({ path: `${path}/more`, query })).toBeUndefined();
        const [first = '', ...otherParts] = path.slice('/\u2060'.length).split('/');
        const addressWithNameInQuery = { path: `/\u2060${otherParts.join('/')}`, query: `${query}/${first}` };
        expect(readDocumentAddress(addressWithNameInQuery)).toBeUndefined();
        expect(readDocumentAddress({ path: path.replace('\u2060', ''), query })).toBeUndefined();
      }),
      { numRuns: getPropertyRuns(60) },
    );
  });
});

const orders = {
  connectionId: 'c1',
  resource: { kind: 'table', datamodelId: 'm', datasetId: 'd', tableId: 't' },
  within: ['Sandbox', 'Retail'],
} as const;

test('the base name is readable and has the suffix of its kind', () => {
  const path = createDocumentPath({ ...orders, name: 'Orders / 2026 [old]' });
  expect(path).toMatch(/^\/c1~table~m~d~t~\w+\/Sandbox\/Retail\/Orders ∕ 2026 \[old\]\.table\.json$/);
  expect(getDocumentAddress(path).path).toBe('/\u2060Sandbox/Retail/Orders ∕ 2026 [old].table.json');
  expect(getDisplayName(path)).toBe('Orders ∕ 2026 [old]');
  expect(getConnectionAndContainerNames(path)).toEqual(['Sandbox', 'Retail']);
  expect(getContainerNames(path)).toEqual(['Retail']);
});

test('with the name in another letter case, a path is not a document', () => {
  const path = createDocumentPath({ ...orders, name: 'Orders' });
  expect(readDocumentPath(path)).toBeDefined();
  expect(readDocumentPath(path.replace('/Orders.', '/ORDERS.'))).toBeUndefined();
});

test.each(['', '/', '//', '/a', '/a/b', '/c1~table~m/Orders.table.json', '/c1~secret~m~x/a.json'])(
  'the path "%s" is not a document',
  (path) => {
    expect(readDocumentPath(path)).toBeUndefined();
  },
);

test('the path of a document of one kind is not accepted as one of another kind', () => {
  const path = createDocumentPath({ ...orders, name: 'Orders' });
  expect(readDocumentPath(path.replace('~table~', '~tableExpression~'))).toBeUndefined();
});
