import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue, parseLossless } from '../../../../src/base/json.ts';
import { resourceRefSchema } from '../../../../src/catalog/resourceRef.ts';
import { parseJournal } from '../../../../src/changes/journal/entry.ts';
import { toStoredWrite } from '../../../../src/changes/journal/storedOperation.ts';
import { asObject, getObjects, getText } from '../../../../src/changes/model/jsonMembers.ts';
import {
  createRestore,
  createUndo,
  getRefsToRead,
  type UndoOperation,
} from '../../../../src/changes/journal/undo.ts';

/**
 * Reads journals that an earlier version wrote, one for each kind of change. Each is stored with the documents that the
 * server had later, and with the undo that the earlier version planned: newer versions must still be able to undo it.
 */
const file = join(import.meta.dirname, '../../../fixtures/journals/2026-11-22.jsonl');
const storedCases = readFileSync(file, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => asObject(parseLossless(line)));

/** Removes undefined members, as storing the value as JSON does. */
const toStoredJson = (value: unknown): JsonValue => parseLossless(JSON.stringify(value));

/** Renames members and codes to the names that they had when the journals were written. */
const toStoredNames = ({ operation, expectedVersions, restoredIds, losses, ...others }: UndoOperation) => ({
  ...others,
  losses: losses.map(({ code, name }) => ({ code: code === 'new-rule-id' ? 'new-id' : code, name })),
  operation: { ...operation, writes: operation.writes.map(toStoredWrite) },
  expect: expectedVersions,
  moved: restoredIds,
});

/** Sorts the members of all objects, so that their order does not matter. */
const sortMembers = (value: JsonValue): JsonValue =>
  Array.isArray(value)
    ? (value as readonly JsonValue[]).map(sortMembers)
    : isJsonObject(value)
      ? Object.fromEntries(
          Object.keys(value)
            .sort()
            .map((name) => [name, sortMembers(value[name] ?? null)]),
        )
      : value;

describe.each(storedCases.map((storedCase) => [getText(storedCase['name']), storedCase] as const))(
  '%s',
  (_name, storedCase: JsonObject) => {
    const entry = parseJournal(getText(storedCase['journal']));
    const currentDocuments = getObjects(storedCase['present']).map(({ ref = null, document }) => ({
      ref: resourceRefSchema.parse(ref),
      document,
    }));

    test('is read, and the same documents are requested for its undo', () => {
      expect(entry && getRefsToRead(entry)).toEqual(currentDocuments.map(({ ref }) => ref));
    });

    test('is undone and restored like in the version that wrote it', async () => {
      expect(
        entry && sortMembers(toStoredJson(toStoredNames(await createUndo(entry, currentDocuments)))),
      ).toEqual(sortMembers(storedCase['undo'] ?? null));
      expect(
        entry && sortMembers(toStoredJson(toStoredNames(await createRestore(entry, currentDocuments)))),
      ).toEqual(sortMembers(storedCase['restore'] ?? null));
    });
  },
);

test('the journals contain all kinds of writes, and two interrupted operations', () => {
  const entries = storedCases.map((storedCase) => parseJournal(getText(storedCase['journal'])));
  const usedEndpoints = entries.flatMap(
    (entry) => entry?.operation.writes.map(({ endpoint }) => endpoint) ?? [],
  );
  // All kinds of writes of that version, which never added rules to several cubes in one request.
  expect(new Set(usedEndpoints).size).toBe(24);
  expect(entries.filter((entry) => entry?.end === 'stopped')).toHaveLength(2);
});
