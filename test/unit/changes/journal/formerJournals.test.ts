import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue, parseLossless } from '../../../../src/base/json.ts';
import { resourceRefSchema } from '../../../../src/catalog/resourceRef.ts';
import { readJournal } from '../../../../src/changes/journal/entry.ts';
import { asObject, getObjects, getText } from '../../../../src/changes/model/readJson.ts';
import {
  createRestore,
  createUndo,
  getRefsToRead,
  type UndoOperation,
} from '../../../../src/changes/journal/undo.ts';

/**
 * Journals that an earlier version wrote, one for each kind of change, with the server's later state and that version's
 * reading of them: an update of the extension must not lose a way to undo.
 */
const file = join(import.meta.dirname, '../../../fixtures/journals/2026-11-22.jsonl');
const storedCases = readFileSync(file, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => asObject(parseLossless(line)));

/** As stored: without absent members. */
const plain = (value: unknown): JsonValue => parseLossless(JSON.stringify(value));

/** The result with the names of its members at the time when the journals were written. */
const toStoredNames = ({ expectedVersions, restoredIds, ...others }: UndoOperation) => ({
  ...others,
  expect: expectedVersions,
  moved: restoredIds,
});

/** The writes of an operation, independent of the order of their members. */
const sorted = (value: JsonValue): JsonValue =>
  Array.isArray(value)
    ? (value as readonly JsonValue[]).map(sorted)
    : isJsonObject(value)
      ? Object.fromEntries(
          Object.keys(value)
            .sort()
            .map((name) => [name, sorted(value[name] ?? null)]),
        )
      : value;

describe.each(storedCases.map((storedCase) => [getText(storedCase['name']), storedCase] as const))(
  '%s',
  (_name, one: JsonObject) => {
    const entry = readJournal(getText(one['journal']));
    const present = getObjects(one['present']).map(({ ref = null, document }) => ({
      ref: resourceRefSchema.parse(ref),
      document,
    }));

    test('is read, and requests the same documents', () => {
      expect(entry && getRefsToRead(entry)).toEqual(present.map(({ ref }) => ref));
    });

    test('is undone and restored as before', async () => {
      expect(entry && sorted(plain(toStoredNames(await createUndo(entry, present))))).toEqual(
        sorted(one['undo'] ?? null),
      );
      expect(entry && sorted(plain(toStoredNames(await createRestore(entry, present))))).toEqual(
        sorted(one['restore'] ?? null),
      );
    });
  },
);

test('all areas are covered, and some journals are interrupted', () => {
  const entries = storedCases.map((one) => readJournal(getText(one['journal'])));
  const used = entries.flatMap((entry) => entry?.operation.writes.map(({ endpoint }) => endpoint) ?? []);
  // Everything that this version sent: no operation added rules to several cubes by one request.
  expect(new Set(used).size).toBe(24);
  expect(entries.filter((entry) => entry?.end === 'stopped')).toHaveLength(2);
});
