import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../src/base/json.ts';
import type { DocumentRef } from '../../../src/documents/documentAddress.ts';
import { createDocumentHandler } from '../../../src/documents/kinds/documentHandler.ts';
import { adaptToTarget } from '../../../src/documents/adaptToTarget.ts';
import { Version } from '../../../src/documents/version.ts';

const table = { datamodelId: 'm', datasetId: 'd', tableId: 't' };

function adapt(resource: DocumentRef, file: string, server: JsonValue): string {
  const handler = createDocumentHandler(resource);
  return adaptToTarget(file, Version.create(server, handler.isServerManaged), handler);
}

describe('a file becomes the text of a document', () => {
  test('of a table: the oid of the server stays, and columns are matched by name', () => {
    const server = {
      oid: 't',
      name: 'Orders',
      vTag: '1',
      columns: [{ oid: 'c1', name: 'Id' }],
      hidden: false,
    };
    const file = JSON.stringify({
      oid: 'elsewhere',
      name: 'Orders of 2026',
      vTag: '9',
      columns: [
        { oid: 'x1', name: 'Id', hidden: true },
        { oid: 'x2', name: 'New' },
      ],
    });
    expect(JSON.parse(adapt({ kind: 'table', ...table }, file, server))).toEqual({
      oid: 't',
      name: 'Orders of 2026',
      vTag: '1',
      columns: [{ oid: 'c1', name: 'Id', hidden: true }, { name: 'New' }],
      hidden: false,
    });
  });

  test('of a table: each column of the server is matched once', () => {
    const server = { oid: 't', columns: [{ oid: 'c1', name: 'Amount' }] };
    const adaptColumns = (columns: JsonValue): JsonValue =>
      JSON.parse(adapt({ kind: 'table', ...table }, JSON.stringify({ columns }), server)).columns;
    expect(
      adaptColumns([
        { oid: 'x1', name: 'Amount' },
        { oid: 'c1', name: 'Net Amount' },
      ]),
    ).toEqual([{ name: 'Amount' }, { oid: 'c1', name: 'Net Amount' }]);
    expect(
      adaptColumns([
        { oid: 'x1', name: 'Amount' },
        { oid: 'x2', name: 'Amount' },
      ]),
    ).toEqual([{ oid: 'c1', name: 'Amount' }, { name: 'Amount' }]);
  });

  test('of a viewpoint: comments of the file stay', () => {
    const text = adapt(
      { kind: 'viewpoint', viewpointId: 'v' },
      '{\n  // ours\n  "id": "other",\n  "name": "A"\n}\n',
      { id: 'v', name: 'B', description: 'd' },
    );
    expect(text).toContain('// ours');
    expect(text).toMatch(/"id": "v"[^]*"name": "A"[^]*"description": "d"/);
  });

  test('of SQL: unchanged', () => {
    expect(adapt({ kind: 'tableExpression', ...table }, 'SELECT 1', 'SELECT 2')).toBe('SELECT 1');
  });

  test('an unreadable file is rejected', () => {
    expect(() => adapt({ kind: 'viewpoint', viewpointId: 'v' }, '{', { id: 'v' })).toThrow('not-json');
    expect(() => adapt({ kind: 'viewpoint', viewpointId: 'v' }, '[]', { id: 'v' })).toThrow('wrong-shape');
  });
});

test('a file with replacement characters is rejected', () => {
  const viewpoint = { kind: 'viewpoint', viewpointId: 'v' } as const;
  const server = { id: 'v', name: 'V', description: 'Köln' };
  const file = '{"name":"V","description":"K\u{fffd}ln"}';
  expect(() => adapt(viewpoint, file, server)).toThrow(expect.objectContaining({ code: 'undecodable-text' }));
  // If the server has the replacement character, too, it is sent back unchanged.
  expect(adapt(viewpoint, file, { ...server, description: 'K\u{fffd}ln' })).toContain('K\u{fffd}ln');
});
