import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createObjectCreationOperation,
  createCustomDataDeletionOperation,
} from '../../../src/changes/model/customDataWrites.ts';
import { isRunning } from '../../../src/builds/build.ts';
import { getRuleSubject } from '../../../src/catalog/ruleSubject.ts';
import type { DocumentRef } from '../../../src/documents/documentAddress.ts';
import { createDocumentPath } from '../../../src/documents/documentAddress.ts';
import type { Operation } from '../../../src/changes/model/operation.ts';
import { PlanNeededError } from '../../../src/changes/run/writeErrors.ts';
import { type RunningSandbox, startSandboxProcess } from '../../../src/sandbox/host/sandboxProcess.ts';
import { expectDefined } from '../../support/expectations.ts';
import { sandboxProgram } from '../../support/programs.ts';
import { openDocument, saveLikeEditor } from '../documents/editorWindow.ts';
import { type LiveObjects, countLiveObjects } from './liveObjects.ts';
import { type WindowServices, openWindow } from './windowServices.ts';
import { isSoak } from '../../support/soak.ts';

/** The number of operations: in a soak, as many as in an hour of use. */
const minOperations = isSoak ? 2000 : 50;

/**
 * The limit for the growth of the heap: optimized code causes less, and documents that are never released cause more.
 */
const maxHeapBytes = 3_000_000;

let folder: string;
let sandbox: RunningSandbox;
let services: WindowServices;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'datamodel-studio-soak-'));
  // In its own process, so that its objects aren't counted.
  sandbox = await startSandboxProcess({
    script: sandboxProgram,
    folder: join(folder, 'sandbox'),
    seed: 'demo',
    profile: 'guide',
  });
  services = await openWindow(sandbox, join(folder, 'window'));
});
afterAll(async () => {
  services.dispose();
  await sandbox.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Expands everything from the instance down to columns. Returns the number of operations. */
async function expandAll({ sessions }: WindowServices, connectionId: string): Promise<number> {
  const { catalog } = await sessions.get(connectionId);
  let count = 1;
  for (const model of await catalog.datamodels()) {
    for (const dataset of await catalog.datasets(model.oid)) {
      await catalog.tables(model.oid, dataset.oid);
      count += 1;
    }
    await catalog.relations(model.oid);
    await catalog.rules(getRuleSubject(model));
    count += 2;
  }
  await catalog.viewpoints.loadMore();
  return count + catalog.knownResources.datamodels.length;
}

const getPath = (resource: DocumentRef): string =>
  createDocumentPath({ connectionId: 'home', resource, name: 'a document', within: [] });

/** Opens, changes, saves, and closes documents, different ones in each round. Returns the number of operations. */
async function useDocuments({ documents, sessions }: WindowServices, round: number): Promise<number> {
  const { catalog } = await sessions.get('home');
  const { viewpoints } = catalog.viewpoints.loaded;
  const viewpoint = getPath({
    kind: 'viewpoint',
    viewpointId: expectDefined(viewpoints[round % viewpoints.length]).id,
  });
  const text = await openDocument(documents, viewpoint);
  const described = { ...(JSON.parse(text) as object), description: `Round ${round}` };
  await saveLikeEditor(documents, viewpoint, JSON.stringify(described, undefined, 2));
  documents.handleClose(viewpoint);
  const models = await catalog.datamodels();
  const model = expectDefined(models[round % models.length]);
  const tables = [];
  for (const { oid: datasetId } of await catalog.datasets(model.oid)) {
    for (const { oid: tableId } of await catalog.tables(model.oid, datasetId)) {
      tables.push({ kind: 'table', datamodelId: model.oid, datasetId, tableId } as const);
    }
  }
  const table = getPath(expectDefined(tables[round % tables.length]));
  await openDocument(documents, table);
  documents.handleClose(table);
  return 6;
}

async function perform({ writer }: WindowServices, operation: Operation): Promise<void> {
  try {
    await writer.run(operation);
  } catch (error) {
    if (!(error instanceof PlanNeededError)) {
      throw error;
    }
    await writer.run(operation, { approval: writer.approve(error.planHash) });
  }
}

/** Creates a custom data object and deletes it. Returns the number of operations. */
async function changeCustomData(currentServices: WindowServices, round: number): Promise<number> {
  const location = { connectionId: 'home', within: [] };
  await perform(
    currentServices,
    createObjectCreationOperation(location, { app: 'soak', round }, `Round ${round}`),
  );
  await perform(currentServices, createCustomDataDeletionOperation(location, { app: 'soak' }));
  await currentServices.history.readEntries('home');
  return 3;
}

async function build({ watch, sessions }: WindowServices): Promise<number> {
  const { catalog } = await sessions.get('home');
  const model = expectDefined((await catalog.datamodels()).find(({ title }) => title === 'Marketing'));
  const ended = new Promise<void>((resolve) => {
    const listening = watch.onDidChange(() => {
      if (!watch.builds.some(isRunning)) {
        listening.dispose();
        resolve();
      }
    });
  });
  await watch.start({
    connectionId: 'home',
    datamodelId: model.oid,
    datamodelTitle: model.title,
    buildType: 'full',
  });
  await ended;
  return 1;
}

/** Adds a connection, uses it, and removes it with all data stored for it. Returns the number of operations. */
async function useTemporaryConnection(currentServices: WindowServices, round: number): Promise<number> {
  const { connections, sessions, pins, history, locks } = currentServices;
  const id = `visit-${round}`;
  await connections.save({ ...currentServices.home, id, name: id, role: 'production' });
  locks.unlock(id, 60_000);
  const [model] = await (await sessions.get(id)).catalog.datamodels();
  const { oid, title } = expectDefined(model);
  pins.add({ connectionId: id, datamodel: { oid, title } });
  await connections.remove(id);
  pins.removeConnection(id);
  await history.deleteEntries(id);
  return 5;
}

async function runRound(round: number): Promise<number> {
  let count = await expandAll(services, 'home');
  count += await useDocuments(services, round);
  count += await changeCustomData(services, round);
  if (round % 5 === 0) {
    count += await build(services);
    count += await useTemporaryConnection(services, round);
  }
  if (round % 2 === 0) {
    services.sessions.renew('home');
  }
  return count;
}

/** Returns the kinds of objects whose count grew by at least one per round, which indicates a leak. */
const findLeaks = (
  before: LiveObjects,
  after: LiveObjects,
  rounds: number,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(after.counts)
      .filter(([kind, count]) => count - (before.counts[kind] ?? 0) >= rounds)
      .map(([kind, count]) => [kind, `${before.counts[kind]} became ${count} in ${rounds} rounds`]),
  );

test(`${minOperations} operations leave no listener, timer or document behind`, async () => {
  // The first rounds load lazily loaded modules and fill bounded caches.
  const warmUpRounds = 5;
  let operationCount = 0;
  let round = 0;
  while (round < warmUpRounds) {
    operationCount += await runRound(round++);
  }
  services.sessions.end('home');
  const before = await countLiveObjects();
  while (operationCount < minOperations || round < 3 * warmUpRounds) {
    operationCount += await runRound(round++);
  }
  services.sessions.end('home');
  const after = await countLiveObjects();
  const rounds = round - warmUpRounds;
  expect(findLeaks(before, after, rounds)).toEqual({});
  expect(after.heapBytes - before.heapBytes).toBeLessThan(maxHeapBytes);
  expect(services.connections.all.map(({ id }) => id)).toEqual(['home']);
  expect(services.pins.all).toEqual([]);
});
