import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RuleSubject } from '../../../src/catalog/ruleSubject.ts';
import {
  type DocumentRef,
  createDocumentPath,
  readDocumentPath,
  getPathInConnection,
  getDisplayName,
  getDisplayParents,
} from '../../../src/documents/documentAddress.ts';
import { getPropertyRuns } from '../../support/soak.ts';

const odd = fc.constantFrom(
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
  .array(fc.oneof(odd, fc.string({ unit: 'binary' }), fc.string()), { minLength: 1, maxLength: 12 })
  .map((parts) => parts.join('') || 'x');
const long = fc.string({ unit: 'grapheme', minLength: 200, maxLength: 200 });
const id = fc.oneof(fc.uuid(), name, long);
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
  name: fc.oneof(name, long),
  within: fc.array(fc.oneof(name, long), { maxLength: 4 }),
});

describe('property: a path', () => {
  test('leads back to its document, whatever names and IDs contain', () => {
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
        const same =
          JSON.stringify([a.connectionId, a.resource]) === JSON.stringify([b.connectionId, b.resource]);
        expect(same || createDocumentPath(a) !== createDocumentPath(b)).toBe(true);
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

const orders = {
  connectionId: 'c1',
  resource: { kind: 'table', datamodelId: 'm', datasetId: 'd', tableId: 't' },
  within: ['Sandbox', 'Retail'],
} as const;

test('the base name is readable and has the suffix of its type', () => {
  const path = createDocumentPath({ ...orders, name: 'Orders / 2026 [old]' });
  expect(path).toMatch(/^\/c1~table~m~d~t~\w+\/Sandbox\/Retail\/Orders ∕ 2026 \[old\]\.table\.json$/);
  expect(getDisplayName(path)).toBe('Orders ∕ 2026 [old]');
  expect(getDisplayParents(path)).toEqual(['Sandbox', 'Retail']);
  expect(getPathInConnection(path)).toEqual(['Retail']);
});

test('names that differ only in letter case are two documents', () => {
  const path = createDocumentPath({ ...orders, name: 'Orders' });
  expect(path).not.toBe(createDocumentPath({ ...orders, name: 'ORDERS' }));
});

test.each(['', '/', '//', '/a', '/a/b', '/c1~table~m/Orders.table.json', '/c1~secret~m~x/a.json'])(
  'the path "%s" is not a document',
  (path) => {
    expect(readDocumentPath(path)).toBeUndefined();
  },
);

test('a document of one type is not accepted as another', () => {
  const path = createDocumentPath({ ...orders, name: 'Orders' });
  expect(readDocumentPath(path.replace('~table~', '~tableExpression~'))).toBeUndefined();
});
