import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { asObject, getObjects } from '../../../src/changes/model/jsonMembers.ts';
import { findRetailTable } from '../../support/demoTables.ts';
import { isWrite } from '../../support/interceptingProxy.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';

const path = 'datamodels/Retail/tables/Stores.table.json';
const part = 'table/Retail/Stores/columns/Opened On/description';

describe.each(['guide', 'contract'] as const)(
  'on an instance of the profile %s, a description that another user adds',
  (profile) => {
    const fixture = new ProjectFixture({ profile });
    const project = () => ['--project', fixture.project] as const;
    const changeColumn = (columns: readonly JsonObject[], members: JsonObject): readonly JsonObject[] =>
      columns.map((column) => (column['name'] === 'Opened On' ? { ...column, ...members } : column));

    /** Hides the column in the project, and describes it on the instance. */
    const edit = async (): Promise<void> => {
      const { columns } = await fixture.readJson(path);
      await fixture.changeJson(path, { columns: changeColumn(getObjects(columns), { hidden: true }) });
      await fixture.runAsOtherUser(async (client) => {
        const { table, keys } = await findRetailTable(client, 'Stores');
        await client.tables.update(keys, {
          columns: changeColumn(getObjects(asObject(table)['columns']), { description: 'Theirs' }),
        });
      });
    };

    /** Expects that the description is reported until a pull adds it to the files, and that nothing differs then. */
    const expectReportedUntilPulled = async (): Promise<void> => {
      expect((await fixture.expectExit(2, 'drift')).stdout).toBe(
        'table/Retail/Stores: differs, changed on the server since the last pull\n' +
          '    columns/Opened On/description: "Theirs" on the instance, none in the project. ' +
          "Can't be applied: The file doesn't have this property. A pull adds it.\n1 item differs.\n",
      );
      const plan = await fixture.expectExit(0, 'plan');
      expect(plan.stdout).toContain(
        `Will still differ: ${part}: The file doesn't have this property. A pull adds it.\n`,
      );
      expect(plan.stdout).toContain(
        "Nothing to change. 1 item will still differ. A pull adds what the files don't have.\n",
      );
      const before = await fixture.read(path);
      await fixture.expectExit(0, 'pull', ...project());
      const after = await fixture.read(path);
      expect(after).toContain('"description": "Theirs"');
      expect(JSON.parse(after.replace(/,?\s*"description": "Theirs"/, ''))).toEqual(JSON.parse(before));
      expect((await fixture.expectExit(0, 'drift')).stdout).toBe(
        'No differences between the instance and the project.\n',
      );
      expect((await fixture.expectExit(0, 'plan')).stdout).toContain(
        'Nothing to change: the instance matches the project.',
      );
    };

    const last = 'viewpoints/Profit by Week.viewpoint.json';

    /** Runs an apply that stops before it changes the viewpoint; returns the ID of its journal. */
    const stopBeforeLastWrite = async (...command: readonly string[]): Promise<string> => {
      fixture.proxy.intercept((request) =>
        isWrite(request) && request.body.includes('The last write') ? 500 : 'forward',
      );
      const { stderr } = await fixture.expectExit(1, ...command);
      fixture.proxy.intercept();
      return /Journal: (\S+)/.exec(stderr)?.[1] ?? '';
    };

    test('to an item that an apply changes is reported until a pull adds it to the files', async () => {
      await edit();
      // Both versions of the conflict are shown in full.
      expect((await fixture.expectExit(2, 'pull', ...project())).stderr).toMatch(
        /Conflict: .*\n {4}columns\/Opened On\/hidden: .*\n {4}columns\/Opened On\/description: "Theirs" on the instance, none in the project\n/,
      );
      const planPath = `${fixture.project}/plan.json`;
      const plan = await fixture.expectExit(2, 'plan', '--out', planPath);
      expect(plan.stdout).toContain(
        `Will still differ: ${part}: The file doesn't have this property. A pull adds it.\n`,
      );
      const { stderr } = await fixture.expectExit(0, 'apply', planPath, '--execute');
      expect(stderr).toContain("Done. 1 item will still differ. A pull adds what the files don't have.\n");
      await expectReportedUntilPulled();
    });

    test('to an item that an apply changes is reported after resume until a pull adds it to the files', async () => {
      await edit();
      await fixture.changeJson(last, { description: 'The last write' });
      const planPath = `${fixture.project}/plan.json`;
      await fixture.expectExit(2, 'plan', '--out', planPath);
      const journal = await stopBeforeLastWrite('apply', planPath, '--execute');
      const { stderr } = await fixture.expectExit(0, 'resume', journal, '--execute', ...project());
      expect(stderr).toContain(
        "Done. The change was finished. 1 item will still differ. A pull adds what the files don't have.\n",
      );
      await expectReportedUntilPulled();
    });

    test.each(['apply', 'resume'] as const)('to a new table is reported after %s', async (command) => {
      const { columns, ...table } = await fixture.readJson(path);
      const names = ['description', 'columns/Opened On/description'].map(
        (name) => `table/Retail/Shops/${name}`,
      );
      const newPath = 'datamodels/Retail/tables/Shops.table.json';
      await fixture.write(newPath, {
        ...table,
        name: 'Shops',
        columns: getObjects(columns).filter(({ isCustom }) => isCustom !== true),
      });
      await fixture.changeJson(last, { description: 'The last write' });
      const changeAsOthers = () =>
        fixture.runAsOtherUser(async (client) => {
          const { table: created, keys } = await findRetailTable(client, 'Shops');
          await client.tables.update(keys, {
            description: 'Theirs',
            columns: changeColumn(getObjects(asObject(created)['columns']), { description: 'Theirs' }),
          });
        });
      if (command === 'apply') {
        await fixture.expectExit(0, 'apply', '--execute');
        await changeAsOthers();
      } else {
        const journal = await stopBeforeLastWrite('apply', '--execute');
        await changeAsOthers();
        const { stderr } = await fixture.expectExit(0, 'resume', journal, '--execute', ...project());
        expect(stderr).toContain(
          "Done. The change was finished. 1 item will still differ. A pull adds what the files don't have.\n" +
            `Not in the files: ${names.join(', ')}.\n`,
        );
      }
      expect((await fixture.expectExit(0, 'plan')).stdout).toContain(
        `Will still differ: ${names.join(', ')}: The file doesn't have this property. A pull adds it.\n`,
      );
      expect((await fixture.expectExit(2, 'drift')).stdout).toMatch(
        /^table\/Retail\/Shops: differs, changed on the server since the last pull\n {4}description: "Theirs" on the instance/,
      );
      await fixture.expectExit(0, 'pull', ...project());
      expect((await fixture.read(newPath)).match(/"description": "Theirs"/g)).toHaveLength(2);
      await fixture.expectExit(0, 'drift');
    });

    test('to a new column is reported after resume', async () => {
      const { columns } = await fixture.readJson(path);
      const [first = {}] = getObjects(columns);
      await fixture.changeJson(path, {
        columns: [...getObjects(columns), { id: first['id'] ?? '', name: 'Number', type: 8 }],
      });
      await fixture.changeJson(last, { description: 'The last write' });
      const journal = await stopBeforeLastWrite('apply', '--execute');
      await fixture.runAsOtherUser(async (client) => {
        const { table, keys } = await findRetailTable(client, 'Stores');
        await client.tables.update(keys, {
          columns: getObjects(asObject(table)['columns']).map((column) =>
            column['name'] === 'Number' ? { ...column, hidden: true } : column,
          ),
        });
      });
      await fixture.expectExit(0, 'resume', journal, '--execute', ...project());
      expect((await fixture.expectExit(0, 'plan')).stdout).toContain(
        "Will still differ: table/Retail/Stores/columns/Number/hidden: The file doesn't have this property. A pull adds it.\n",
      );
    });
  },
);
