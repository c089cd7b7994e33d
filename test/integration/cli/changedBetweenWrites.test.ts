import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { getObjects } from '../../../src/changes/model/jsonMembers.ts';
import { findRetailTable } from '../../support/demoTables.ts';
import { isWrite, type ProxiedRequest } from '../../support/interceptingProxy.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';

const path = 'datamodels/Retail/tables/Customers.table.json';

describe.each(['guide', 'contract'] as const)(
  'if others change a table between two writes to it, on an instance of the profile %s',
  (profile) => {
    const fixture = new ProjectFixture({ profile });

    /** Plans a new description of a table, which is written first, and the deletion of a column, which is written later. */
    const edit = async (): Promise<void> => {
      const { columns } = await fixture.readJson(path);
      await fixture.changeJson(path, {
        description: 'Written first',
        columns: getObjects(columns).filter(({ name }) => name !== 'Mail Domain'),
      });
      await fixture.remove('datamodels/Retail/tables/Customers/Mail Domain.datamodel.sql');
    };

    const readColumns = (): Promise<readonly JsonObject[]> =>
      fixture.runAsOtherUser(async (client) =>
        getObjects((await findRetailTable(client, 'Customers')).table.columns as JsonObject[]),
      );

    /** Hides a column as another user, or shows it again. */
    const setHidden = (hidden: boolean): Promise<void> =>
      fixture.runAsOtherUser(async (client) => {
        const { table, keys } = await findRetailTable(client, 'Customers');
        const columns = (table.columns ?? []).map((column) =>
          column.name === 'City' ? { ...column, hidden } : column,
        );
        await client.tables.update(keys, { columns: columns as JsonObject[] });
      });

    test.each([
      ['does not show the table', 'empty'],
      ['is lost', 'lose'],
    ] as const)(
      'their change is not overwritten if the response %s, and resume finishes the apply',
      async (_text, action) => {
        await edit();
        const { tableId } = await fixture.runAsOtherUser(
          async (client) => (await findRetailTable(client, 'Customers')).keys,
        );
        let writeCount = 0;
        let isChanged = false;
        fixture.proxy.intercept(async (request: ProxiedRequest) => {
          if (!request.path.endsWith(tableId)) {
            return 'forward';
          }
          if (isWrite(request)) {
            writeCount += 1;
            return writeCount === 1 ? action : 'forward';
          }
          if (writeCount === 1 && !isChanged) {
            isChanged = true;
            await setHidden(true);
          }
          return 'forward';
        });
        const { stderr } = await fixture.expectExit(1, 'apply', '--prune', 'columns', '--execute');
        expect(stderr).toContain(
          'Stopped after 1 of 2 steps. The table Customers was changed on the server in the meantime.',
        );
        expect({ isChanged, writeCount }).toEqual({ isChanged: true, writeCount: 1 });
        const columns = await readColumns();
        expect(columns.map(({ name }) => name)).toContain('Mail Domain');
        expect(columns.find(({ name }) => name === 'City')).toMatchObject({ hidden: true });

        const journal = /Journal: (\S+)/.exec(stderr)?.[1] ?? '';
        const resume = ['resume', journal, '--execute', '--project', fixture.project] as const;
        const refused = await fixture.expectExit(4, ...resume);
        expect(refused.stderr).toContain('Nothing was written.');
        expect(writeCount).toBe(1);
        await setHidden(false);
        await fixture.expectExit(0, ...resume);
        expect((await readColumns()).map(({ name }) => name)).not.toContain('Mail Domain');
      },
    );
  },
);
