import { cp, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { resumeOutputSchema } from '../../../src/cli/recoveryOutputSchemas.ts';
import { isWrite } from '../../support/interceptingProxy.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';

const folder = 'datamodels/Retail';
const viewpointPath = 'viewpoints/Profit by Week.viewpoint.json';
const relationItem = 'relation/Retail/Customers/Customer Id/Value Copy/Customer Id';

describe.each([
  ['guide', false],
  ['contract', true],
] as const)(
  'an apply that is finished by resume, on an instance of the profile %s',
  (profile, needsBuild) => {
    const fixture = new ProjectFixture({ profile });
    const project = () => ['--project', fixture.project] as const;

    /**
     * Adds a custom table with a relation, and a datamodel with rules: the relation needs another apply, and on some
     * instances the rules do.
     */
    const edit = async (): Promise<void> => {
      const table = await fixture.readJson(`${folder}/tables/Customer Value.table.json`);
      const sql = await fixture.read(`${folder}/tables/Customer Value.datamodel.sql`);
      await fixture.write(`${folder}/tables/Value Copy.table.json`, {
        ...table,
        name: 'Value Copy',
        expression: { $file: 'Value Copy.datamodel.sql' },
      });
      await fixture.write(`${folder}/tables/Value Copy.datamodel.sql`, sql);
      await fixture.write(`${folder}/relations/Value Copy.relation.json`, {
        columns: [
          { table: 'Customers', column: 'Customer Id' },
          { table: 'Value Copy', column: 'Customer Id' },
        ],
      });
      const copy = join(fixture.project, 'datamodels/Copy');
      await cp(join(fixture.project, 'datamodels/Marketing'), copy, { recursive: true });
      await rename(join(copy, 'Marketing.datamodel.json'), join(copy, 'Copy.datamodel.json'));
      await fixture.changeJson('datamodels/Copy/Copy.datamodel.json', { title: 'Copy' });
      await fixture.changeJson(viewpointPath, { description: 'The last write' });
    };

    /** Applies the project to an instance that refuses the last write; returns the ID of the journal. */
    const stop = async (): Promise<string> => {
      fixture.proxy.intercept((request) =>
        isWrite(request) && request.body.includes('The last write') ? 500 : 'forward',
      );
      const { stderr } = await fixture.expectExit(1, 'apply', '--execute');
      fixture.proxy.intercept();
      return /Journal: (\S+)/.exec(stderr)?.[1] ?? '';
    };

    test('says what is left for another apply, with the same exit code', async () => {
      await edit();
      const journal = await stop();
      const shown = await fixture.expectExit(0, 'resume', journal, ...project());
      expect(shown.stdout).toContain('\nAfter that, ');
      expect(shown.stdout).toContain(relationItem);
      expect(shown.stderr).toContain('datamodel-studio plan --project ');

      const json = await fixture.expectExit(
        2,
        'resume',
        journal,
        '--execute',
        ...project(),
        '--format',
        'json',
      );
      expect(resumeOutputSchema.parse(JSON.parse(json.stdout)).result?.state).toBe('done');
      expect(json.stderr).toMatch(/Done\. The change was finished\. \d+ items? needs? another apply: /);
      expect(json.stderr).toContain(relationItem);
      expect(json.stderr.includes("Until the rules are written, don't share Copy with anyone else.")).toBe(
        needsBuild,
      );
      expect(json.stderr.includes('Apply again before you build')).toBe(needsBuild);
    });

    test('says what is left, and that nothing was compared, if resume gets no project', async () => {
      await edit();
      const { stderr } = await fixture.expectExit(2, 'resume', await stop(), '--execute');
      expect(stderr).toContain(relationItem);
      expect(stderr).toMatch(
        /The instance wasn't compared with the project\. After the pull, run: datamodel-studio plan /,
      );
    });

    test('counts no part of a new item as changed by others, even if the response to its creation was lost', async () => {
      await fixture.write('viewpoints/New.viewpoint.json', {
        name: 'New',
        details: {
          datasource: { title: 'Retail', modelType: 'external' },
          columns: [
            {
              table: 'Regions',
              column: 'Region',
              dim: '[Regions.Region]',
              datatype: 'text',
              title: 'Region',
            },
          ],
        },
      });
      const held = Promise.withResolvers<void>();
      fixture.proxy.intercept((request) => (isWrite(request) ? 'hold-response' : 'forward'), held.resolve);
      const run = fixture.start('apply', '--execute');
      await held.promise;
      run.kill('SIGKILL');
      const [, journal = ''] = /Journal: (\S+)/.exec((await run.ended).stderr) ?? [];
      fixture.proxy.intercept();
      const { stderr } = await fixture.expectExit(0, 'resume', journal, '--execute', ...project());
      expect(stderr).toContain('Done. The change was finished. The instance matches the project.');
      expect((await fixture.expectExit(0, 'drift')).stdout).toContain(
        'No differences between the instance and the project.',
      );
    });

    test('is done if nothing is left for another apply, and names items that it did not include', async () => {
      await fixture.changeJson(viewpointPath, { description: 'The last write' });
      await fixture.changeJson(`${folder}/tables/Stores.table.json`, { description: 'The first write' });
      const journal = await stop();
      await fixture.changeJson(`${folder}/tables/Orders.table.json`, { description: 'Later' });
      const { stderr } = await fixture.expectExit(0, 'resume', journal, '--execute', ...project());
      expect(stderr).toContain('Done. The change was finished.');
      expect(stderr).toContain(
        "1 item differs from the project in ways that the change didn't include: table/Retail/Orders.",
      );
    });
  },
);

describe('resume', () => {
  const fixture = new ProjectFixture({ profile: 'guide' });

  test('with --execute is refused if no change is named', async () => {
    const { stdout, stderr } = await fixture.expectExit(4, 'resume', '--execute');
    expect(stdout).toBe('');
    expect(stderr).toContain('Missing: ID. To list the interrupted changes, remove --execute.');
  });
});
