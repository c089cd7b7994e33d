import { describe, expect, test } from 'vitest';
import { type JsonValue, parseLossless, stringify } from '../../../src/base/json.ts';
import { mask } from '../../../src/base/secrets/mask.ts';
import type { DocumentRef } from '../../../src/documents/documentAddress.ts';
import type { SecretAnswer } from '../../../src/documents/kinds/documentKind.ts';
import { createDocumentHandler } from '../../../src/documents/kinds/documentHandler.ts';

const model = { datamodelId: 'm' };
const table = { ...model, datasetId: 'd', tableId: 't' };
const subject = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;

/** Returns the writes of a save; `change` turns the displayed document into the edited one. */
function getWrites(
  ref: DocumentRef,
  source: JsonValue,
  change: (shown: never) => JsonValue,
  secrets: Readonly<Record<string, SecretAnswer>> = {},
) {
  const handler = createDocumentHandler(ref);
  const before = handler.getVisiblePart(source) ?? null;
  return handler.createWrites({
    source,
    before,
    next: change(before as never),
    getSecretAnswer: (path) => secrets[path.join('.')],
  });
}

const getError = (action: () => unknown): unknown => {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
};

describe('a table', () => {
  const ref = { kind: 'table', ...table } as const;
  const source = parseLossless(
    '{"oid":"t","id":"t.csv","name":"T","type":"BASE","vTag":"1","expression":{"oid":"e","expression":"SELECT 1"},"columns":[{"oid":"a","name":"A","size":12345678901234567890}]}',
  );

  test('sends only what changed', () => {
    expect(getWrites(ref, source, (shown: object) => ({ ...shown, name: 'U' }))).toEqual([
      {
        endpoint: 'tables.update',
        params: table,
        body: { name: 'U' },
        target: ref,
      },
    ]);
  });

  test('shows no connector secret, and prompts for one only if the options change', () => {
    const options = { Table: 'a.csv', password: 'p', url: 'ftp://u:q@h/a.csv' };
    const withOptions = { oid: 't', name: 'T', configOptions: options };
    expect(createDocumentHandler(ref).getVisiblePart(withOptions)).toEqual({
      ...withOptions,
      configOptions: { Table: 'a.csv', password: mask, url: `ftp://u:${mask}@h/a.csv` },
    });
    const renamed = getWrites(ref, withOptions, (shown: object) => ({ ...shown, name: 'U' }));
    expect(renamed[0]?.body).toEqual({ name: 'U' });
    const withOtherTable = (shown: typeof withOptions) => ({
      ...shown,
      configOptions: { ...shown.configOptions, Table: 'b.csv' },
    });
    expect(getError(() => getWrites(ref, withOptions, withOtherTable))).toMatchObject({
      code: 'secrets-needed',
      paths: [
        ['configOptions', 'password'],
        ['configOptions', 'url', 0],
      ],
    });
    const secrets = {
      'configOptions.password': 'server-value',
      'configOptions.url.0': 'server-value',
    } as const;
    expect(getWrites(ref, withOptions, withOtherTable, secrets)[0]?.body).toEqual({
      configOptions: { ...options, Table: 'b.csv' },
    });
  });

  test('sends complete columns, with numbers unchanged', () => {
    const handler = createDocumentHandler(ref);
    const next = parseLossless(stringify(source).replace('"name":"A"', '"name":"B"'));
    const [write] = handler.createWrites({ source, before: source, next, getSecretAnswer: () => undefined });
    expect(stringify(write?.body)).toBe('{"columns":[{"oid":"a","name":"B","size":12345678901234567890}]}');
  });

  test('sends SQL in the form in which it was received', () => {
    const change = (shown: object) =>
      ({ ...shown, expression: { oid: 'e', expression: 'SELECT 2' } }) as JsonValue;
    expect(getWrites(ref, source, change)[0]?.body).toEqual({
      expression: { oid: 'e', expression: 'SELECT 2' },
    });
  });

  test('sends nothing if only server-managed fields differ', () => {
    expect(getWrites(ref, source, (shown: object) => ({ ...shown, vTag: '2' }))).toEqual([]);
  });
});

describe('SQL', () => {
  const source = {
    oid: 't',
    expression: null,
    columns: [
      { oid: 'a', name: 'A' },
      { oid: 'b', name: 'B', isCustom: true, expression: { oid: 'x', expression: '[A] + 1' } },
    ],
  };

  test('of a column is sent with all columns', () => {
    const writes = getWrites({ kind: 'columnExpression', ...table, columnId: 'b' }, source, () => '[A] + 2');
    expect(writes[0]?.body).toEqual({
      columns: [
        source.columns[0],
        { oid: 'b', name: 'B', isCustom: true, expression: { oid: 'x', expression: '[A] + 2' } },
      ],
    });
  });

  test.each([
    ['text', 'SELECT 1', 'SELECT 2'],
    [
      'an object',
      { oid: 'e', expression: 'SELECT 1', lastUpdated: '2020-11-01T10:00:00Z' },
      { oid: 'e', expression: 'SELECT 2', lastUpdated: '2020-11-01T10:00:00Z' },
    ],
  ])('of a table that was received as %s is sent in the same form', (_form, stored, sent) => {
    const writes = getWrites(
      { kind: 'tableExpression', ...table },
      { ...source, expression: stored },
      () => 'SELECT 2',
    );
    expect(writes[0]?.body).toEqual({ expression: sent });
  });

  test('cannot be empty, and does not exist for a column or table without an expression', () => {
    const ref = { kind: 'columnExpression', ...table, columnId: 'b' } as const;
    expect(getError(() => getWrites(ref, source, () => ' \n'))).toMatchObject({ code: 'empty-expression' });
    expect(createDocumentHandler({ ...ref, columnId: 'a' }).getVisiblePart(source)).toBeUndefined();
    expect(
      createDocumentHandler({ kind: 'tableExpression', ...table }).getVisiblePart(source),
    ).toBeUndefined();
  });
});

describe('a dataset', () => {
  const ref = { kind: 'dataset', ...model, datasetId: 'd' } as const;
  const source = {
    oid: 'd',
    name: 'Sales',
    connection: { id: 'c', owner: 'o', provider: 'SQL', parameters: { Server: 'a', Password: 'p' } },
    schema: { tables: [{ oid: 't' }] },
  };
  const withOtherServer = (shown: typeof source) => ({
    ...shown,
    connection: { ...shown.connection, parameters: { ...shown.connection.parameters, Server: 'b' } },
  });

  test('is shown without its tables and without secrets', () => {
    expect(createDocumentHandler(ref).getVisiblePart(source)).toEqual({
      oid: 'd',
      name: 'Sales',
      connection: { ...source.connection, parameters: { Server: 'a', Password: mask } },
    });
  });

  test('prompts for the secrets that the document does not show', () => {
    expect(getError(() => getWrites(ref, source, withOtherServer))).toMatchObject({
      code: 'secrets-needed',
      paths: [['connection', 'parameters', 'Password']],
    });
  });

  test('is sent complete, without read-only properties', () => {
    const secrets = { 'connection.parameters.Password': 'server-value' } as const;
    expect(getWrites(ref, source, withOtherServer, secrets)[0]).toEqual({
      endpoint: 'datasets.update',
      params: { datamodelId: 'm', datasetId: 'd' },
      body: { connection: { provider: 'SQL', parameters: { Server: 'b', Password: 'p' } } },
      target: ref,
    });
  });

  test("sends encrypted parameters back only with the user's consent", () => {
    const encryptedDataset = { ...source, connection: { provider: 'SQL', parameters: 'AES' } };
    const change = (shown: typeof encryptedDataset) => ({
      ...shown,
      connection: { ...shown.connection, provider: 'Sql' },
    });
    expect(getError(() => getWrites(ref, encryptedDataset, change))).toMatchObject({
      code: 'secrets-needed',
    });
    expect(
      getWrites(ref, encryptedDataset, change, { 'connection.parameters': 'server-value' })[0],
    ).toMatchObject({
      body: { connection: { provider: 'Sql', parameters: 'AES' } },
      sendEncryptedParameters: true,
    });
  });

  test('prompts for a secret within a text, and sends the text with it', () => {
    const url = 'jdbc:x://h/d?user=u&password=p&ssl=true';
    const datasetWithUrl = { ...source, connection: { provider: 'X', parameters: { Server: 'a', url } } };
    expect(createDocumentHandler(ref).getVisiblePart(datasetWithUrl)).toMatchObject({
      connection: { parameters: { Server: 'a', url: `jdbc:x://h/d?user=u&password=${mask}&ssl=true` } },
    });
    const change = (shown: typeof datasetWithUrl) =>
      JSON.parse(JSON.stringify(shown).replace('//h/d', '//other/d')) as JsonValue;
    expect(getError(() => getWrites(ref, datasetWithUrl, change))).toMatchObject({
      code: 'secrets-needed',
      paths: [['connection', 'parameters', 'url', 0]],
    });
    const getBodySentWith = (secret: SecretAnswer) =>
      getWrites(ref, datasetWithUrl, change, { 'connection.parameters.url.0': secret })[0]?.body;
    const createBody = (password: string) => ({
      connection: {
        provider: 'X',
        parameters: { Server: 'a', url: `jdbc:x://other/d?user=u&password=${password}&ssl=true` },
      },
    });
    expect(getBodySentWith('server-value')).toEqual(createBody('p'));
    expect(getBodySentWith({ typedValue: 'q' })).toEqual(createBody('q'));
  });

  test('prompts for a secret that the server does not have, and never sends the mask', () => {
    const change = (shown: typeof source): JsonValue => ({
      ...shown,
      connection: { ...shown.connection, parameters: { Server: 'a', Password: mask, more: `Token=${mask}` } },
    });
    const secrets = {
      'connection.parameters.Password': 'server-value',
      'connection.parameters.more.0': 'server-value',
    } as const;
    expect(getError(() => getWrites(ref, source, change, secrets))).toMatchObject({
      code: 'secrets-needed',
      paths: [['connection', 'parameters', 'more', 0]],
    });
  });

  test('allows changes to the connection only', () => {
    const rename = (shown: object) => ({ ...shown, name: 'Other' }) as JsonValue;
    expect(getError(() => getWrites(ref, source, rename))).toMatchObject({
      code: 'not-editable',
      paths: [['name']],
    });
    const withOtherOwner = (shown: typeof source) => ({
      ...shown,
      connection: { ...shown.connection, owner: 'x' },
    });
    expect(getError(() => getWrites(ref, source, withOtherOwner))).toMatchObject({
      paths: [['connection', 'owner']],
    });
  });
});

describe('rules of a column', () => {
  const ref = { kind: 'columnRules', subject, table: 'T', column: 'C' } as const;
  const createRule = (id: string, members: string[] = []) => ({
    _id: id,
    server: 'LocalHost',
    elasticube: 'Retail',
    table: 'T',
    column: 'C',
    datatype: 'text',
    members,
    allMembers: null,
    shares: [{ partyId: `u${id}`, partyName: 'Una', type: 'user' }],
  });
  const source = [createRule('1', ['a']), createRule('2', ['b']), { ...createRule('3'), column: 'D' }];

  test('are created, changed and deleted with one write each', () => {
    const { _id, ...newRule } = createRule('', ['n']);
    const writes = getWrites(ref, source, () => [createRule('2', ['c']), newRule]);
    expect(writes.map(({ endpoint, params }) => [endpoint, params])).toEqual([
      ['extractRules.create', { server: 'LocalHost', elasticube: 'Retail' }],
      ['extractRules.update', { ruleId: '2' }],
      ['extractRules.delete', { ruleId: '1' }],
    ]);
    expect(writes[1]?.body).toMatchObject({
      _id: '2',
      members: ['c'],
      shares: [{ party: 'u2', type: 'user' }],
    });
  });

  test('end up exactly as intended, even if a party has several of them', () => {
    const { _id, ...newRule } = { ...createRule('', ['n']), shares: [{ party: 'u2', type: 'user' }] };
    const writes = getWrites(ref, source, () => [createRule('1', ['a']), createRule('2', ['c']), newRule]);
    expect(writes.map(({ endpoint, step }) => [endpoint, step])).toEqual([
      ['extractRules.create', undefined],
      ['extractRules.update', undefined],
    ]);
    expect(writes[0]?.body).toMatchObject([{ members: ['n'], shares: [{ party: 'u2', type: 'user' }] }]);
  });

  test.each([
    ['a rule of another column', [{ ...createRule('1'), column: 'X' }], 'not-editable', [[0, 'column']]],
    ['a rule that does not exist', [createRule('9')], 'unknown-item', [[0, '_id']]],
    ['a rule that occurs twice', [createRule('1'), createRule('1')], 'unknown-item', [[1, '_id']]],
    ['a rule that is not an object', [1], 'wrong-shape', [[0]]],
  ] as const)('%s is rejected', (_what, next, code, paths) => {
    const failure = getError(() => getWrites(ref, source, () => next));
    expect(failure).toMatchObject({ code, paths });
  });

  test('cannot be moved to another cube', () => {
    const withOtherCube = (shown: object) => ({ ...shown, elasticube: 'Other' }) as JsonValue;
    expect(
      getError(() => getWrites({ kind: 'rule', subject, ruleId: '1' }, source, withOtherCube)),
    ).toMatchObject({
      code: 'not-editable',
      paths: [['elasticube']],
    });
  });
});

test('a custom data object sends what changed, and cannot lose a member', () => {
  const ref = { kind: 'customDataObject', objectId: 'o' } as const;
  const source = [{ _id: 'o', a: 1, lastUpdated: 'mine' }, { _id: 'p' }];
  expect(getWrites(ref, source, (shown: object) => ({ ...shown, b: 2 }))[0]?.body).toEqual({
    queryForSearch: { _id: 'o' },
    objectForUpdate: { b: 2 },
  });
  // Fields that the server manages in other documents are the user's own in custom data.
  expect(getError(() => getWrites(ref, source, () => ({ _id: 'o', a: 1 })))).toMatchObject({
    code: 'not-removable',
    paths: [['lastUpdated']],
  });
});
