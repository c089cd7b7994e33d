import { beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type JsonValue, getMember, parseLossless } from '../../../src/base/json.ts';
import { isJsonArray } from '../../../src/json/text/copyOnWrite.ts';
import { runCli } from '../../support/cliInProcess.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';

const retail = 'datamodels/Retail';
const tablePath = `${retail}/tables/Regions.table.json`;
const rulesPath = `${retail}/rules/Regions.Region.rules.json`;
const cubeSetPath = 'cube-sets/Regional Sales/rules/Regions.Region.rules.json';
/** Errors of other files that use the column. */
const ignorable = 'sql/unknown-column,viewpoint/unknown-column';
const ignoring = ['--ignore-errors', `${ignorable},rules/unknown-column,rules/unknown-table`];
/** Rules move to the new name of a column at once, and the column gets it only with a build. */
const accessAfterBuild =
  'After the next build, no one gains or loses access. Until the next build, more data might be visible: see "Not checked".';
const newName = ['"column": "Region"', '"column": "Area"'] as const;

/** Expects a list of what was not checked, all of it about the time until the next build. */
function expectOnlyUntilBuild(unchecked: unknown): void {
  const texts = z.array(z.string()).parse(unchecked);
  expect(texts.length).toBeGreaterThan(0);
  expect(texts.filter((text) => !text.includes('until Retail is built'))).toEqual([]);
}

describe.each(['guide', 'contract'] as const)('on an instance of the profile %s', (profile) => {
  const fixture = new ProjectFixture({ profile });

  const replace = async (path: string, ...replacements: readonly (readonly [string, string])[]) => {
    const text = await fixture.read(path);
    const changed = replacements.reduce((current, [from, to]) => current.replaceAll(from, to), text);
    expect(changed).not.toBe(text);
    await fixture.write(path, changed);
  };
  const manageCubeSet = async () => {
    const settings = await fixture.readJson('datamodel-studio.json');
    const manage = { ...(settings['manage'] as object), cubeSets: ['Regional Sales'] };
    await fixture.write('datamodel-studio.json', { ...settings, manage });
  };
  const plan = async (code: number, ...args: readonly string[]) => {
    const { stdout } = await fixture.expectExit(code, 'plan', '--format', 'json', ...ignoring, ...args);
    const value = parseLossless(stdout);
    const get = (...path: readonly string[]): JsonValue | undefined =>
      path.reduce<JsonValue | undefined>(getMember, value);
    /** Returns the names of the items in a list. */
    const items = (list: string) => {
      const entries = get(list);
      return (isJsonArray(entries) ? entries : []).map((entry) => getMember(entry, 'item'));
    };
    return { get, items };
  };
  /** Renames a column of Retail in the files of its table and of its rules. */
  const renameInFiles = async () => {
    await replace(tablePath, ['"name": "Region"', '"name": "Area", "renamedFrom": "Region"']);
    await replace(rulesPath, newName);
  };

  test('an apply that stops, its resume, and its abandon say what is visible until the next build', async () => {
    await renameInFiles();
    await fixture.write('viewpoints/New.viewpoint.json', {
      ...(await fixture.readJson('viewpoints/Revenue by Region.viewpoint.json')),
      name: 'New',
    });
    const stop = async (visible: string): Promise<string> => {
      fixture.proxy.intercept(({ method, path }) =>
        method === 'POST' && path.includes('/infusion/viewpoints') ? 403 : 'forward',
      );
      const { stderr } = await fixture.expectExit(1, 'apply', '--execute', '--ignore-errors', ignorable);
      fixture.proxy.intercept();
      expect(stderr).toContain(visible);
      return /Journal: (\S+)/.exec(stderr)?.[1] ?? '';
    };
    const project = ['--project', fixture.project];
    // Of a datamodel that was never built, no query uses the schema of the last build.
    const describeVisible = (column: string): string =>
      profile === 'guide'
        ? `If the first build of Retail was already running, more data might be visible until Retail is built again: ${column}.`
        : `Until Retail is built, more data might be visible: ${column}.`;
    const visible = describeVisible('Regions.Region');
    const stopped = await stop(visible);
    const preview = await fixture.expectExit(0, 'resume', stopped, ...project);
    expect(preview.stderr).toContain(visible);
    const finished = await fixture.expectExit(0, 'resume', stopped, '--execute', ...project);
    expect(finished.stderr).toContain(visible);

    await replace(tablePath, [
      '"name": "Area", "renamedFrom": "Region"',
      '"name": "Zone", "renamedFrom": "Area"',
    ]);
    await replace(rulesPath, ['"column": "Area"', '"column": "Zone"']);
    await fixture.write('viewpoints/Newer.viewpoint.json', {
      ...(await fixture.readJson('viewpoints/New.viewpoint.json')),
      name: 'Newer',
    });
    const visibleAgain = describeVisible('Regions.Area');
    const journal = await stop(visibleAgain);
    const { stderr } = await fixture.expectExit(0, 'abandon', journal, '--execute', ...project);
    expect(stderr).toContain(visibleAgain);
  });

  describe('with a cube set', () => {
    beforeEach(async () => {
      await manageCubeSet();
      await fixture.expectExit(0, 'pull', '--project', fixture.project);
      expect((await runCli(['validate', '--project', fixture.project], { env: {} })).code).toBe(0);
      await renameInFiles();
    });

    test('a plan says who gains access because its rules stay on the former name', async () => {
      const refused = await fixture.expectExit(4, 'plan', '--ignore-errors', ignorable);
      expect(refused.stderr).toContain(
        `${cubeSetPath}:5:15: error: No datamodel in the project has a column "Regions.Region".`,
      );
      const { get, items } = await plan(2);
      expect(items('breaks')).toContain('Regional Sales › Regions.Region');
      expect(get('access', 'summary')).toContain(
        'Everyone else gains all values of Regions.Region in the cube set Regional Sales',
      );
      expectOnlyUntilBuild(get('access', 'unchecked'));
      expect(JSON.stringify(get('access', 'unchecked'))).toContain(
        profile === 'guide'
          ? 'until Retail is built again, if its first build is already running'
          : 'until Retail is built, if queries use the schema of the last build',
      );
      expect(items('rulesWithoutEffect')).toEqual(['cubeSetRules/Regional Sales/Regions/Region']);
      const limited = await plan(2, '--datamodel', 'Retail');
      expect(limited.items('rulesWithoutEffect')).toEqual([]);
    });
  });

  describe('with renamed rules of a cube set', () => {
    beforeEach(async () => {
      await manageCubeSet();
      await fixture.expectExit(0, 'pull', '--project', fixture.project);
      await renameInFiles();
      await replace(cubeSetPath, newName);
    });

    test('no one gains or loses access, even if the rules on the former name are deleted', async () => {
      const planWithoutPrune = await plan(2);
      expect(planWithoutPrune.get('access', 'rows')).toEqual([]);
      expect(planWithoutPrune.get('access', 'summary')).toBe(
        `${accessAfterBuild} Rules of the cube set Regional Sales probably have no effect, because no known datamodel has these columns: Regions.Region.`,
      );
      expect(planWithoutPrune.items('breaks')).not.toContain('Regional Sales › Regions.Region');
      expect(planWithoutPrune.items('extras')).toEqual(['cubeSetRules/Regional Sales/Regions/Region']);
      const planWithPrune = await plan(2, '--prune', 'cube-set-rules');
      expect(planWithPrune.get('access', 'rows')).toEqual([]);
      expect(planWithPrune.get('access', 'summary')).toBe(accessAfterBuild);
      expectOnlyUntilBuild(planWithPrune.get('access', 'unchecked'));
      const applied = await fixture.expectExit(0, 'apply', '--execute', ...ignoring);
      expect(applied.stderr).toMatch(
        /^Done\. .*\nUntil the next build, more data might be visible: Everyone else: Regions\.Region: no values → all values · .*until Retail is built/m,
      );
      // After the apply, a plan still deletes the rules on the former name.
      const laterPlan = await plan(2, '--prune', 'cube-set-rules');
      expect(laterPlan.items('changes')).toEqual(['cubeSetRules/Regional Sales/Regions/Region']);
      // Queries might use the former name until the next build.
      expect(laterPlan.get('access', 'summary')).toBe(accessAfterBuild);
      expectOnlyUntilBuild(laterPlan.get('access', 'unchecked'));
    });
  });

  test('the rules of a cube set that is added after a rename in the files are pulled with the new name', async () => {
    await renameInFiles();
    await manageCubeSet();
    const pulled = await fixture.expectExit(0, 'pull', '--project', fixture.project);
    const path = cubeSetPath.replace('Regions.Region', 'Regions.Area');
    expect(pulled.stdout).toContain(`created ${path}`);
    expect(await fixture.read(path)).not.toContain(newName[0]);
    const { get } = await plan(2);
    expect(get('access', 'rows')).toEqual([]);
  });

  test('rules on a table that no datamodel has are not reported as taking access away', async () => {
    await manageCubeSet();
    await fixture.expectExit(0, 'pull', '--project', fixture.project);
    const text = await fixture.read(cubeSetPath);
    await fixture.write(
      cubeSetPath.replace('Regions', 'Nowhere'),
      text.replaceAll('"table": "Regions"', '"table": "Nowhere"'),
    );
    const { get } = await plan(2);
    expect(get('access', 'rows')).toEqual([]);
    expect(get('access', 'summary')).toBe(
      'No one gains or loses access. Rules of the cube set Regional Sales probably have no effect, because no known datamodel has these columns: Nowhere.Region.',
    );
  });

  test('without a cube set, a plan says that rules of cube sets were not checked', async () => {
    await fixture.changeJson(tablePath, { description: 'Where we are' });
    expect((await plan(2)).get('access', 'unchecked')).toEqual([]);
    await fixture.write('datamodels/Retail/tables/Orders/Delivery.datamodel.sql', "'slow'\n");
    expect((await plan(2)).get('access', 'unchecked')).toEqual([
      expect.stringContaining('If it has rules that depend on changed data, who sees what might change.'),
    ]);
    await renameInFiles();
    const { get } = await plan(2);
    expect(get('access', 'summary')).toBe(`${accessAfterBuild} Rules of cube sets weren't checked.`);
    const unchecked = z.array(z.string()).parse(get('access', 'unchecked'));
    expectOnlyUntilBuild(unchecked.slice(0, -1));
    expect(unchecked.at(-1)).toContain('rules of cube sets, because');
  });
});
