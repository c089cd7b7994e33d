import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { createTableUpdateWrite } from '../../../../src/changes/model/tableWrites.ts';
import { ConflictError } from '../../../../src/changes/run/writeErrors.ts';
import { createRealWriter } from '../../../support/createRealWriter.ts';
import { findRetailTable, updateTableDescription } from '../../../support/demoTables.ts';
import { expectDefined } from '../../../support/expectations.ts';
import { type InterceptingProxy, startInterceptingProxy } from '../../../support/interceptingProxy.ts';
import { type TemporarySandbox, startTemporarySandbox } from '../../../support/temporarySandbox.ts';
import { runApproved } from '../../../unit/changes/journal/runApproved.ts';
import { createOperation, getFailure, connectionId } from '../../../unit/changes/run/support.ts';

describe.each(['guide', 'contract'] as const)(
  'if the response of a write does not show the table, on an instance of the profile %s',
  (profile) => {
    let folder: string;
    let proxy: InterceptingProxy;
    let sandbox: TemporarySandbox;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'changed-before-end-'));
      proxy = await startInterceptingProxy();
      sandbox = await startTemporarySandbox('demo', { profile });
      proxy.setInstance(sandbox);
    });
    afterAll(async () => {
      await sandbox.stop();
      await proxy.close();
      await rm(folder, { recursive: true, force: true });
    });

    test('the undo keeps what others have changed before the operation ended', async () => {
      const others = createRealWriter({
        url: sandbox.url,
        token: sandbox.adminToken,
        folder: join(folder, 'others'),
      });
      const { client, writer, history } = createRealWriter({ url: proxy.url, token: proxy.token, folder });
      const { keys } = await findRetailTable(client, 'Orders');
      let isWritten = false;
      let isChanged = false;
      proxy.intercept(async ({ method, path }) => {
        if (isWritten && !isChanged && path.includes(keys.tableId)) {
          isChanged = true;
          await updateTableDescription(others.client, 'Orders', 'Theirs');
        }
        const isOurs = method === 'PATCH';
        isWritten ||= isOurs;
        return isOurs ? 'empty' : 'forward';
      });
      await runApproved(writer, createOperation([createTableUpdateWrite(keys, { description: 'Ours' })]));
      expect({ isWritten, isChanged }).toEqual({ isWritten: true, isChanged: true });
      proxy.intercept();

      const [entry] = await history.readEntries(connectionId);
      const { operation, ...options } = await writer.planUndo(expectDefined(entry));
      const undoes = { ...options, undoneEntryId: expectDefined(entry).id };
      expect(await getFailure(runApproved(writer, operation, undoes))).toBeInstanceOf(ConflictError);
      const reviewed = await writer.planUndoForReview(expectDefined(entry), 'undo', {
        overwrittenIds: new Set(),
        names: new Map(),
      });
      expect(reviewed.laterChanges).toMatchObject([
        { name: 'Orders', canOverwrite: true, isOverwritten: false },
      ]);
      expect(reviewed.operation.writes).toEqual([]);
      expect((await findRetailTable(client, 'Orders')).table).toMatchObject({
        description: 'Theirs',
      } satisfies JsonObject);
    });
  },
);
