import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { asObject, getObjects } from '../../../src/changes/model/readJson.ts';
import { findRetailTable } from '../../support/demoTables.ts';
import { isWrite } from '../../support/interceptingProxy.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';

const path = 'datamodels/Retail/tables/Stores.table.json';
const part = 'table/Retail/Stores/columns/Opened On/description';

describe.each(['guide', 'contract'] as const)(
  'what others have added to what an apply changes, on an instance of the profile %s',
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

    /** Expects that the description is reported until a pull brings it, and that nothing differs then. */
    const expectReportedUntilPulled = async (): Promise<void> => {
      expect((await fixture.expectExit(2, 'drift')).stdout).toBe(
        'table/Retail/Stores: differs, changed on the server since the last pull\n' +
          '    columns/Opened On/description: "Theirs" on the instance, none in the project. ' +
          "Can't be applied: The file doesn't have it. A pull adds it.\n1 item differs.\n",
      );
      const plan = await fixture.expectExit(0, 'plan');
      expect(plan.stdout).toContain(
        `Will still differ: ${part}: The file doesn't have it. A pull adds it.\n`,
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

    test('is reported until a pull brings it', async () => {
      await edit();
      // Both versions of the conflict are shown in full.
      expect((await fixture.expectExit(2, 'pull', ...project())).stderr).toMatch(
        /Conflict: .*\n {4}columns\/Opened On\/hidden: .*\n {4}columns\/Opened On\/description: "Theirs" on the instance, none in the project\n/,
      );
      const planPath = `${fixture.project}/plan.json`;
      const plan = await fixture.expectExit(2, 'plan', '--out', planPath);
      expect(plan.stdout).toContain(
        `Will still differ: ${part}: The file doesn't have it. A pull adds it.\n`,
      );
      const { stderr } = await fixture.expectExit(0, 'apply', planPath, '--execute');
      expect(stderr).toContain("Done. 1 item will still differ. A pull adds what the files don't have.\n");
      await expectReportedUntilPulled();
    });

    test('is reported after resume until a pull brings it', async () => {
      await edit();
      const last = 'viewpoints/Profit by Week.viewpoint.json';
      await fixture.changeJson(last, { description: 'The last write' });
      const planPath = `${fixture.project}/plan.json`;
      await fixture.expectExit(2, 'plan', '--out', planPath);
      fixture.proxy.intercept((request) =>
        isWrite(request) && request.body.includes('The last write') ? 500 : 'forward',
      );
      const stopped = await fixture.expectExit(1, 'apply', planPath, '--execute');
      fixture.proxy.intercept();
      const journal = /Journal: (\S+)/.exec(stopped.stderr)?.[1] ?? '';
      const { stderr } = await fixture.expectExit(0, 'resume', journal, '--execute', ...project());
      expect(stderr).toContain(
        "Done. The change was finished. 1 item will still differ. A pull adds what the files don't have.\n",
      );
      await expectReportedUntilPulled();
    });
  },
);
