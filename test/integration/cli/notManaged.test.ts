import { describe, expect, test } from 'vitest';
import { driftOutputSchema, pullOutputSchema } from '../../../src/cli/outputSchemas.ts';
import { planOutputSchema } from '../../../src/cli/planOutputSchema.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';

const settingsPath = 'datamodel-studio.json';
const ordersPath = 'datamodels/Retail/tables/Orders.table.json';

const excludedFiles =
  'Not managed: 15 files in datamodels/Marketing, 56 files in datamodels/Retail, 14 files in datamodels/Support Desk';
const unknownName =
  '"manage" in datamodel-studio.json lists the datamodel "Retial", but neither the instance nor the project has it. Did you mean "Retail"?';

describe('a misspelled name in "manage" of datamodel-studio.json', () => {
  const fixture = new ProjectFixture({ profile: 'guide' });
  const misspell = async (): Promise<void> => {
    await fixture.write(settingsPath, {
      version: 1,
      manage: { datamodels: ['Retial'], viewpoints: ['*'] },
    });
    await fixture.changeJson(ordersPath, { hidden: true });
  };

  test('is in the last lines of a plan and an apply, which do not say that the instance matches the project', async () => {
    await misspell();
    const summary = 'Nothing to change: the instance matches the project in the items that "manage" selects.';
    const lines = [excludedFiles, unknownName, summary, ''];
    const plan = await fixture.expectExit(0, 'plan');
    expect(plan.stdout.split('\n').slice(1)).toEqual(lines);
    // The second plan repeats the result of the first.
    expect((await fixture.expectExit(0, 'plan')).stdout).toBe(plan.stdout);
    expect((await fixture.expectExit(0, 'apply', '--execute')).stdout).toBe(plan.stdout);
    for (const format of ['json', 'markdown', 'github']) {
      const { stderr } = await fixture.expectExit(0, 'plan', '--format', format);
      expect(stderr.split('\n')).toEqual(lines);
    }
    const json = await fixture.expectExit(0, 'plan', '--format', 'json');
    expect(planOutputSchema.parse(JSON.parse(json.stdout))).toMatchObject({
      state: 'same',
      unmanaged: {
        excluded: [
          { folder: 'datamodels/Marketing', files: 15 },
          { folder: 'datamodels/Retail', files: 56 },
          { folder: 'datamodels/Support Desk', files: 14 },
        ],
        unknownNames: [{ kind: 'datamodel', name: 'Retial', similarName: 'Retail' }],
      },
    });
    const markdown = await fixture.expectExit(0, 'plan', '--format', 'markdown');
    expect(markdown.stdout).toContain('#### Not managed (2)\n');
    const github = await fixture.expectExit(0, 'plan', '--format', 'github');
    expect(github.stdout).toContain('::warning file=datamodel-studio.json,title=Not managed::');
  });

  test('is in the last lines of drift and pull', async () => {
    await misspell();
    const summary = 'No differences between the instance and the project in the items that "manage" selects.';
    const lines = [excludedFiles, unknownName, summary, ''];
    expect((await fixture.expectExit(0, 'drift')).stdout.split('\n')).toEqual(lines);
    const json = await fixture.expectExit(0, 'drift', '--format', 'json');
    expect(json.stderr.split('\n')).toEqual(lines);
    expect(driftOutputSchema.parse(JSON.parse(json.stdout)).unmanaged?.unknownNames).toHaveLength(1);
    const junit = await fixture.expectExit(0, 'drift', '--format', 'junit');
    expect(junit.stdout).toContain('but neither the instance nor the project has it');
    const markdown = await fixture.expectExit(0, 'drift', '--format', 'markdown');
    expect(markdown.stdout).toContain('#### Not managed (2)\n');
    const pull = await fixture.expectExit(0, 'pull', '--project', fixture.project);
    expect(pull.stderr.split('\n').slice(-4)).toEqual([
      `Warning: ${excludedFiles}`,
      `Warning: ${unknownName}`,
      expect.stringMatching(/^Files: 0 created, /),
      '',
    ]);
    const pullJson = await fixture.expectExit(0, 'pull', '--project', fixture.project, '--format', 'json');
    expect(pullOutputSchema.parse(JSON.parse(pullJson.stdout)).warnings).toContain(unknownName);
  });

  test('refuses a limit that only excluded files match', async () => {
    await misspell();
    for (const command of ['plan', 'drift']) {
      const { stderr } = await fixture.expectExit(4, command, '--datamodel', 'Retail');
      expect(stderr).toContain(
        '"manage" in datamodel-studio.json excludes every datamodel that matches --datamodel.',
      );
    }
    const { stderr } = await fixture.expectExit(4, 'plan', '--datamodel', 'Markting');
    expect(stderr).toContain('--datamodel. Did you mean "Marketing"?');
  });

  test('is also reported at the end of an apply', async () => {
    await fixture.write(settingsPath, {
      version: 1,
      manage: { datamodels: ['Marketing', 'Retial'], viewpoints: ['*'] },
    });
    await fixture.changeJson('datamodels/Marketing/tables/Leads.table.json', { hidden: true });
    const plan = await fixture.expectExit(2, 'plan');
    expect(plan.stdout).toContain(
      'Plan for the items that "manage" selects: 0 to create, 1 to change, 0 to delete.',
    );
    const { stderr } = await fixture.expectExit(0, 'apply', '--execute');
    expect(stderr).toContain(
      `${unknownName}\nDone. The instance matches the project in the items that "manage" selects.\n`,
    );
  });
});
