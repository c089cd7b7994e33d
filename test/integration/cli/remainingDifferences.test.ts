import { describe, expect, test } from 'vitest';
import { asObject, getObjects } from '../../../src/changes/model/jsonMembers.ts';
import { driftOutputSchema } from '../../../src/cli/outputSchemas.ts';
import { planOutputSchema } from '../../../src/cli/planOutputSchema.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';

const folder = 'datamodels/Retail/tables';
const custom = `${folder}/Customer Value.table.json`;
const planTitle = 'Environment: default (development)\n';
const derivedLine = '1 column of a custom table differs because the instance derives it from SQL.';

describe.each(['guide', 'contract'] as const)('an instance of the profile %s', (profile) => {
  const fixture = new ProjectFixture({ profile });
  const changeDerivedColumn = async () => {
    const table = asObject(await fixture.readJson(custom));
    const [first, ...others] = getObjects(table['columns']);
    await fixture.changeJson(custom, { columns: [{ ...first, size: 77, indexed: true }, ...others] });
  };
  const changeDataset = () => fixture.changeJson(`${folder}/Orders.table.json`, { dataset: 'Elsewhere' });

  test('that has derived other column properties from SQL is not reported as different', async () => {
    await changeDerivedColumn();
    const plan = await fixture.expectExit(0, 'plan');
    expect(plan).toMatchObject({
      stdout: `${planTitle}${derivedLine}\nNothing to change: the instance matches the project, except for what each instance sets itself.\n`,
      stderr: '',
    });
    const drift = await fixture.expectExit(0, 'drift');
    expect(drift.stdout).toBe(
      `${derivedLine}\nNo differences between the instance and the project, except for what each instance sets itself.\n`,
    );
    const view = driftOutputSchema.parse(
      JSON.parse((await fixture.expectExit(0, 'drift', '--format', 'json')).stdout),
    );
    expect(view).toMatchObject({
      state: 'same',
      items: [],
      setByInstance: [{ item: 'table/Retail/Customer Value', code: 'derived-column' }],
    });
    expect((await fixture.expectExit(0, 'drift', '--format', 'junit')).stdout).toContain(
      `name="${derivedLine}"`,
    );
    expect((await fixture.expectExit(0, 'drift', '--format', 'markdown')).stdout).toContain(
      '#### Set by the instance (1)',
    );
    const pull = await fixture.expectExit(0, 'pull', '--project', fixture.project);
    expect(`${pull.stdout}${pull.stderr}`).not.toContain('Kept');
  });

  test('that differs in a property that no request can set is never reported as the same', async () => {
    await changeDataset();
    const item = 'table/Retail/Orders';
    const reason = "The platform's API can't set it.";
    const plan = await fixture.expectExit(0, 'plan');
    expect(plan.stdout).toBe(
      `${planTitle}Will still differ: ${item}/dataset: ${reason}\nNothing to change. 1 item will still differ.\n`,
    );
    const apply = await fixture.expectExit(0, 'apply', '--execute');
    expect(apply.stdout).toBe(plan.stdout);
    const drift = await fixture.expectExit(2, 'drift');
    expect(drift.stdout).toMatch(
      /^table\/Retail\/Orders: differs\n {4}dataset: ".+" on the instance, "Elsewhere" in the project\. Can't be applied: The platform's API can't set it\.\n1 item differs\.\n$/,
    );
    const view = driftOutputSchema.parse(
      JSON.parse((await fixture.expectExit(2, 'drift', '--format', 'json')).stdout),
    );
    expect(view).toMatchObject({
      version: 1,
      state: 'differs',
      counts: { differs: 1 },
      items: [
        {
          item,
          path: `${folder}/Orders.table.json`,
          state: 'changed',
          parts: [{ pointer: '/dataset', project: 'Elsewhere', notApplied: reason }],
        },
      ],
    });
    const junit = (await fixture.expectExit(2, 'drift', '--format', 'junit')).stdout;
    expect(junit).toContain('failures="1"');
    expect(junit).toContain("Can't be applied: ");
    const markdown = (await fixture.expectExit(2, 'drift', '--format', 'markdown')).stdout;
    expect(markdown).toContain('#### Differences (1)');
    expect(markdown).toContain("Can't be applied: ");
    const github = (await fixture.expectExit(0, 'plan', '--format', 'github')).stdout;
    expect(github).toBe(
      `::notice title=Plan for default::Nothing to change. 1 item will still differ.\n::notice title=Will still differ%3A ${item}/dataset::${reason}\n`,
    );
  });

  test('that matches after an apply except for a property that no request can set is not reported as the same', async () => {
    await changeDataset();
    await fixture.changeJson('viewpoints/Profit by Week.viewpoint.json', { description: 'Changed' });
    const { stderr } = await fixture.expectExit(0, 'apply', '--execute');
    expect(stderr).toContain(
      "Done. 1 item will still differ.\nWill still differ: table/Retail/Orders/dataset: The platform's API can't set it.\n",
    );
    expect(stderr).not.toContain('matches');
  });

  test('that has items that the project lacks is not reported as the same', async () => {
    await fixture.remove('viewpoints/Profit by Month.viewpoint.json');
    expect((await fixture.expectExit(0, 'plan')).stdout).toBe(
      `${planTitle}Only on the instance, and not deleted without --prune KINDS: viewpoint/Profit by Month\nNothing to change. Only on the instance, kept: 1 viewpoint.\n`,
    );
  });

  test('gets a plan that has everything that matters on standard output', async () => {
    const path = `${folder}/Orders.table.json`;
    const columns = getObjects(asObject(await fixture.readJson(path))['columns']).filter(
      ({ name }) => name !== 'Status',
    );
    await fixture.changeJson(path, { columns });
    await fixture.remove('viewpoints/Profit by Month.viewpoint.json');
    const options = ['--prune', 'columns', '--ignore-errors', 'rules/unknown-column,sql/unknown-column'];
    const plan = await fixture.expectExit(2, 'plan', ...options);
    expect(plan.stderr).toBe('');
    const order = [
      '~ table/Retail/Orders',
      'Will break: ',
      'Only on the instance',
      'Ignored error: ',
      'Build Retail ',
      'Plan: ',
    ];
    const positions = order.map((text) => plan.stdout.indexOf(text));
    expect(positions).not.toContain(-1);
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
    // Several rules on a column break in the same way.
    const lines = plan.stdout.trimEnd().split('\n');
    expect(lines).toEqual([...new Set(lines)]);
    const json = await fixture.expectExit(2, 'plan', ...options, '--format', 'json');
    expect(planOutputSchema.safeParse(JSON.parse(json.stdout)).success).toBe(true);
  });

  test('that lacks a property of another instance that no request can set is reported as the same', async () => {
    // Adds a property to the file, as a pull from the other instance would.
    await fixture.changeJson('datamodels/Retail/Retail.datamodel.json', { analyticalEngine: { mode: 'A' } });
    const line = "Not on the instance, and can't be set: datamodel/Retail/analyticalEngine\n";
    expect((await fixture.expectExit(0, 'drift')).stdout).toBe(
      `${line}No differences between the instance and the project, except for what each instance sets itself.\n`,
    );
    expect((await fixture.expectExit(0, 'drift', '--format', 'junit')).stdout).toContain('failures="0"');
    const markdown = (await fixture.expectExit(0, 'drift', '--format', 'markdown')).stdout;
    expect(markdown).toContain('#### Set by the instance (1)');
    expect((await fixture.expectExit(0, 'plan')).stdout).toBe(
      `${planTitle}${line}Nothing to change: the instance matches the project, except for what each instance sets itself.\n`,
    );
    const pull = await fixture.expectExit(0, 'pull', '--project', fixture.project);
    expect(`${pull.stdout}${pull.stderr}`).not.toContain('Kept');
    await fixture.expectExit(0, 'drift');
  });
});
