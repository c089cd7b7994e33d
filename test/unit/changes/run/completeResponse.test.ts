import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { getObjects, getText } from '../../../../src/changes/model/jsonMembers.ts';
import { StoppedError } from '../../../../src/changes/run/writeErrors.ts';
import { operations } from '../recorded/scenarios.ts';
import { smallSeed } from '../recorded/smallInstance.ts';
import { runApproved } from '../journal/runApproved.ts';
import { ChangeFixture, connectionId, createOperation, getFailure } from './support.ts';

/** Runs one of the recorded operations on a server with empty responses. */
async function run(fixture: ChangeFixture, name: string, hasEmptyResponse: (line: string) => boolean) {
  fixture.hasEmptyResponse = hasEmptyResponse;
  const writes = await operations[name]?.(fixture);
  const operation = createOperation(writes !== undefined && !('writes' in writes) ? writes : []);
  return runApproved(fixture.open().writer, operation);
}

describe('if a response does not have an ID that a later write needs', () => {
  test('a created item is found by its name', async () => {
    using fixture = new ChangeFixture({ seed: smallSeed });
    await run(fixture, 'create a datamodel with its contents', (line) => line.startsWith('POST'));
    const model = getObjects((await fixture.client.datamodels.list()).json).find(
      ({ title }) => title === 'New',
    );
    const { datasets, relations } = await fixture.readObject({
      kind: 'datamodel',
      datamodelId: getText(model?.['oid']),
    });
    const tables = getObjects(datasets).flatMap(({ schema }) => getObjects((schema as JsonObject)['tables']));
    expect(tables.map(({ name }) => name)).toEqual(['Left', 'Right']);
    expect(getObjects(relations)).toHaveLength(1);
  });

  test('a new column is read from its table', async () => {
    using fixture = new ChangeFixture({ seed: smallSeed });
    const name = 'extend a relation by a column that the operation adds';
    const { writeStates } = await run(fixture, name, (line) => line.startsWith('PATCH'));
    expect(writeStates.map(({ state }) => state)).toEqual(['done', 'done']);
  });

  test('nothing is read if no later write needs the ID', async () => {
    using fixture = new ChangeFixture({ seed: smallSeed });
    await run(fixture, 'create a viewpoint', (line) => line.startsWith('POST'));
    const lines = fixture.transport.requestLines;
    const postIndex = lines.findIndex((line) => line.startsWith('POST') && line.endsWith('/viewpoints'));
    expect(postIndex).toBeGreaterThan(-1);
    expect(lines.slice(postIndex + 1)).toEqual([]);
  });

  test('the operation stops after the write if the ID cannot be read', async () => {
    using fixture = new ChangeFixture({ seed: smallSeed });
    const stopped = await getFailure(
      run(fixture, 'create a datamodel with its contents', (line) => {
        fixture.failsAllRequests = line.startsWith('POST');
        return line.startsWith('POST');
      }),
    );
    expect(stopped).toBeInstanceOf(StoppedError);
    expect(stopped).toMatchObject({ cause: { name: 'MissingOutputError' } });
    fixture.failsAllRequests = false;
    const [entry] = await fixture.open().history.readEntries(connectionId);
    expect(entry?.writeStates.map(({ state }) => state).slice(0, 2)).toEqual(['done', 'failed']);
  });
});
