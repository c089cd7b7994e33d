import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { driftOutputSchema } from '../../../src/cli/outputSchemas.ts';
import { planOutputSchema } from '../../../src/cli/planOutputSchema.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import { getObjects, omitMembers } from '../../../src/changes/model/jsonMembers.ts';
import { isSetByInstance } from '../../../src/project/compare/itemChange.ts';
import { findRetailTable } from '../../support/demoTables.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';

const path = 'datamodels/Retail/tables/Stores.table.json';
const item = 'table/Retail/Stores';
const keptText =
  "The file doesn't have this property, so it's kept. To clear it, add it to the file with null or an empty value.";

const fixtures = {
  guide: new ProjectFixture({ profile: 'guide' }),
  contract: new ProjectFixture({ profile: 'contract' }),
} as const;

describe.each(['guide', 'contract'] as const)(
  'a project that was pulled from an instance of the profile %s',
  (from) => {
    test.each(['guide', 'contract'] as const)(
      'lacks no property that an instance of the profile %s returns',
      async (to) => {
        const project = await fixtures[from].createFolder(`pulled for ${to}`);
        await fixtures[from].expectExit(0, 'pull', '--project', project);
        await rm(join(project, 'environments'), { recursive: true });
        const run = async (command: string): Promise<unknown> =>
          JSON.parse(
            (await fixtures[to].expectExit(0, command, '--project', project, '--format', 'json')).stdout,
          );
        const { notes } = planOutputSchema.parse(await run('plan'));
        expect(notes.filter((note) => !isSetByInstance(note))).toEqual([]);
        expect(driftOutputSchema.parse(await run('drift'))).toMatchObject({ items: [], instanceOnly: [] });
      },
    );
  },
);

describe.each(['guide', 'contract'] as const)(
  'a property that only the instance has, on an instance of the profile %s',
  (profile) => {
    const fixture = fixtures[profile];

    /** Applies a description of a table and settings of a column, and then restores the previous file. */
    const applyAndRestore = async (): Promise<void> => {
      const before = await fixture.read(path);
      const { columns } = await fixture.readJson(path);
      await fixture.changeJson(path, {
        description: 'Ours',
        columns: getObjects(columns).map((column) =>
          column['name'] === 'City' ? { ...column, description: 'Where it is', hidden: true } : column,
        ),
      });
      await fixture.expectExit(0, 'apply', '--execute');
      await fixture.write(path, before);
    };

    const readStores = () =>
      fixture.runAsOtherUser(async (client) => {
        const { table } = await findRetailTable(client, 'Stores');
        return { table, city: getObjects(table.columns as never).find(({ name }) => name === 'City') };
      });

    test('is counted and named, and cleared with null', async () => {
      await applyAndRestore();
      // The file has "hidden", so the difference is a change.
      await fixture.expectExit(0, 'apply', '--execute');
      const names = `${item}/description, ${item}/columns/City/description`;
      const plan = await fixture.expectExit(0, 'plan');
      expect(plan.stdout).toContain(`Only on the instance, kept: ${names}: ${keptText}\n`);
      expect(plan.stdout).toContain('Nothing to change. Only on the instance, kept: 2 properties.\n');
      const json = planOutputSchema.parse(
        JSON.parse((await fixture.expectExit(0, 'plan', '--format', 'json')).stdout),
      );
      expect(json.notes.filter(({ code }) => code === 'instance-only')).toEqual(
        ['/description', '/columns/City/description'].map((pointer) => ({
          code: 'instance-only',
          severity: 'information',
          item,
          pointer,
          text: keptText,
        })),
      );
      expect((await fixture.expectExit(0, 'plan', '--format', 'markdown')).stdout).toMatch(
        /Only on the instance, kept[^]*table\/Retail\/Stores\/columns\/City\/description/,
      );
      expect((await fixture.expectExit(0, 'plan', '--format', 'github')).stdout).toContain(
        'Only on the instance, kept: 2 properties.',
      );

      const drift = await fixture.expectExit(0, 'drift');
      expect(drift.stdout).toBe(
        `Only on the instance, kept: ${names}: ${keptText}\n` +
          'No differences between the instance and the project. Only on the instance, kept: 2 properties.\n',
      );
      const driftJson = driftOutputSchema.parse(
        JSON.parse((await fixture.expectExit(0, 'drift', '--format', 'json')).stdout),
      );
      expect(driftJson.instanceOnly?.map(({ pointer }) => pointer)).toEqual([
        '/description',
        '/columns/City/description',
      ]);

      const { columns } = await fixture.readJson(path);
      await fixture.changeJson(path, {
        description: null,
        columns: getObjects(columns).map((column) =>
          column['name'] === 'City' ? { ...column, description: null } : column,
        ),
      });
      const planned = await fixture.expectExit(2, 'plan');
      expect(planned.stdout).toContain('description: "Ours" → null');
      expect(planned.stdout).toContain('columns/City/description: "Where it is" → null');
      expect((await fixture.expectExit(0, 'apply', '--execute')).stderr).toContain(
        'Done. The instance matches the project.',
      );
      const { table, city } = await readStores();
      expect([table.description ?? null, city?.['description'] ?? null]).toEqual([null, null]);
      expect((await fixture.expectExit(0, 'plan')).stdout).toContain(
        'Nothing to change: the instance matches the project.',
      );
      expect((await fixture.expectExit(0, 'pull', '--project', fixture.project)).stderr).not.toContain(
        'Kept',
      );
      expect(await fixture.read(path)).toContain('"description": null');
    });

    test('does not include defaults that the instance sets in a new table', async () => {
      await fixture.write('datamodels/Retail/tables/Shops.table.json', {
        name: 'Shops',
        id: 'stores.csv',
        dataset: 'Master Data',
        columns: [{ name: 'Store', id: 'Store', type: 18 }],
      });
      await fixture.expectExit(0, 'apply', '--execute');
      expect((await fixture.expectExit(0, 'plan')).stdout).toContain(
        'Nothing to change: the instance matches the project.',
      );
    });

    test('does not include the visibility that the instance sets in a new viewpoint', async () => {
      const viewpointPath = 'viewpoints/New.viewpoint.json';
      const columns = [
        {
          table: 'Regions',
          column: 'Region',
          dim: '[Regions.Region]',
          datatype: 'text',
          title: 'Region',
        },
      ];
      const file = {
        name: 'New',
        details: { datasource: { title: 'Retail', modelType: 'external' }, columns },
      };
      const matches = 'Nothing to change: the instance matches the project.';
      await fixture.write(viewpointPath, file);
      await fixture.expectExit(0, 'apply', '--execute');
      for (const members of [{}, { visibility: null }, { visibility: {} }]) {
        await fixture.write(viewpointPath, { ...file, ...members });
        expect((await fixture.expectExit(0, 'plan')).stdout).toContain(matches);
        await fixture.expectExit(0, 'drift');
      }
      // Nobody has changed the viewpoint on the instance since.
      const visibility = { enabled: true, apps: ['googleslides'], groups: ['Sales'], users: [] };
      await fixture.write(viewpointPath, { ...file, visibility });
      const shared = await fixture.expectExit(0, 'apply', '--execute');
      expect(shared.stdout).not.toContain('changed on the server');
      // The properties that share the viewpoint are named, and can't be removed with null.
      await fixture.write(viewpointPath, file);
      const unset =
        "The file doesn't have this property, so it's kept. The platform's API can't remove it. To change it, add it to the file with another value.";
      expect((await fixture.expectExit(0, 'plan')).stdout).toContain(
        `Only on the instance, kept: viewpoint/New/enabled, viewpoint/New/visibility: ${unset}\n`,
      );
    });

    test.each(['import', 'indexed'])(
      'may be "%s" with the value false, and is set to true by null',
      async (member) => {
        const table = await fixture.readJson(path);
        const set = (members: JsonObject) =>
          fixture.write(path, {
            ...table,
            columns: getObjects(table['columns']).map((column) =>
              column['name'] === 'City' ? { ...omitMembers(column, member), ...members } : column,
            ),
          });
        await set({ [member]: false });
        await fixture.expectExit(0, 'apply', '--execute');
        await set({});
        expect((await fixture.expectExit(0, 'plan')).stdout).toContain(
          `Only on the instance, kept: ${item}/columns/City/${member}: ${keptText}\n`,
        );
        await set({ [member]: null });
        expect((await fixture.expectExit(2, 'plan')).stdout).toContain(
          `columns/City/${member}: false → true`,
        );
        await fixture.expectExit(0, 'apply', '--execute');
        expect((await readStores()).city?.[member]).toBe(true);
        expect((await fixture.expectExit(0, 'plan')).stdout).toContain(
          'Nothing to change: the instance matches the project.',
        );
        await fixture.expectExit(0, 'drift');
      },
    );

    test('is named if null cannot remove it', async () => {
      await fixture.changeJson(path, { id: null });
      const { stdout } = await fixture.expectExit(0, 'plan');
      expect(stdout).toContain(
        `Will still differ: ${item}/id: The platform's API can't remove it. Write a value instead of null.\n`,
      );
      expect(stdout).toContain('1 item will still differ.');
      await fixture.expectExit(2, 'drift');
    });
  },
);
