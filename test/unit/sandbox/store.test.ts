import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isJsonObject, type JsonObject, parseLossless, stringify } from '../../../src/base/json.ts';
import { DatabaseVersionError } from '../../../src/sandbox/store/database.ts';
import { Store } from '../../../src/sandbox/store.ts';
import type { Seed } from '../../../src/sandbox/seeds/seed.ts';
import { createSandbox, testSeed } from './support.ts';

let folder = '';
const getFile = (): string => join(folder, 'sandbox.sqlite');
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-store-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The JSON with the members of each object sorted, because their order has no meaning. */
const sortMembers = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sortMembers)
    : isJsonObject(value)
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([k, v]) => [k, sortMembers(v)]),
        )
      : value;

test('a whole datamodel is restored with every field and digit, whatever it contains', async () => {
  const text = `{"oid":"m","title":"M","type":"EXTRACT","odd":{"big":12345678901234567890},"datasets":[
    {"oid":"d","name":"D","type":"extract","connection":{"timeout":6.0e4,"parameters":"encrypted"},
     "schema":{"extra":null,"tables":[{"oid":"t","id":"a.csv","columns":[{"oid":"c","size":1.0,"import":null}],"tags":null},
     {"oid":"u","type":"custom","expression":{"oid":"e","expression":"SELECT 'ü'"},"columns":[]}]},"shares":[]},
    {"oid":"n","name":"N","schema":{"tables":[]}}],"relations":[{"oid":"r","type":null,"columns":[]}],"schedule":null}`;
  const document = parseLossless(text) as JsonObject;
  const { send } = createSandbox({
    seed: { name: 'demo', apply: (store) => store.insertDatamodel(document) },
  });
  const reply = await send('GET', '/api/v2/datamodels/m');
  expect(stringify(sortMembers(parseLossless(reply.text)))).toBe(stringify(sortMembers(document)));
});

test('the state survives the process that wrote it', () => {
  const first = new Store(getFile());
  first.seed(testSeed, folder);
  first.customData.insert({ _id: 'a', n: 1 });
  first.dispose();
  const second = new Store(getFile());
  expect(second.customData.getAll()).toEqual([{ id: 'a', text: '{"_id":"a","n":1}' }]);
  expect(second.people.getGroups('Sales')).toHaveLength(1);
  second.dispose();
});

test('a seed applies to an empty folder only (decisions.md, "Sandbox")', () => {
  const store = new Store(getFile());
  expect(store.seed(testSeed, folder)).toBe(true);
  store.dispose();
  const reopened = new Store(getFile());
  const other: Seed = {
    name: 'demo',
    apply() {
      throw new Error('must not be applied');
    },
  };
  expect(reopened.seed(other, folder)).toBe(false);
  expect(reopened.seedName).toBe('empty');
  reopened.dispose();
});

test('a failed seed leaves nothing behind, and is applied next time', () => {
  const store = new Store(getFile());
  const failingSeed: Seed = {
    name: 'demo',
    apply(target) {
      target.insertCustomData({ _id: 'a' });
      throw new Error('no');
    },
  };
  expect(() => store.seed(failingSeed, folder)).toThrow('no');
  expect(store.customData.getAll()).toEqual([]);
  expect(store.seed(testSeed, folder)).toBe(true);
  store.dispose();
});

test('parties that a seed names before it inserts them get their names', () => {
  const store = new Store(':memory:');
  const rule = {
    _id: 'r',
    server: 'LocalHost',
    elasticube: 'C',
    table: 't',
    column: 'c',
    shares: [{ party: 'g', type: 'group' }],
  };
  store.seed(
    {
      name: 'demo',
      apply(target) {
        target.insertExtractRule(rule);
        target.insertLiveRule({
          ...rule,
          _id: 'l',
          fullname: 'live:C',
          shares: [{ partyId: 'x', type: 'user' }],
        });
        target.insertGroup({ _id: 'g', name: 'Sales', members: ['x'] });
      },
    },
    folder,
  );
  const [extract, live] = store.rules.getAll();
  expect(extract).toMatchObject({ kind: 'extract', rule: { shares: [{ party: 'g', partyName: 'Sales' }] } });
  expect(live).toMatchObject({ kind: 'live', rule: { shares: [{ partyId: 'x', type: 'user' }] } });
  store.dispose();
});

test('a file of another version, and a file that is not a database, are rejected', () => {
  const databaseOfNewerVersion = new DatabaseSync(getFile());
  databaseOfNewerVersion.exec('PRAGMA user_version = 99');
  databaseOfNewerVersion.close();
  expect(() => new Store(getFile())).toThrow(DatabaseVersionError);
  expect(() => new Store(join(import.meta.filename))).toThrow('not a database');
});

test('an inner transaction joins the outer one', () => {
  const store = new Store(':memory:');
  expect(() =>
    store.transaction(() => {
      store.transaction(() => store.customData.insert({ _id: 'a' }));
      throw new Error('no');
    }),
  ).toThrow('no');
  expect(store.customData.getAll()).toEqual([]);
  store.transaction(() => store.customData.insert({ _id: 'b' }));
  expect(store.customData.getAll()).toHaveLength(1);
  store.dispose();
});
