import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { rollBackOutputSchema } from '../../../src/cli/recoveryOutputSchemas.ts';
import { findRetailTable } from '../../support/demoTables.ts';
import { isWrite } from '../../support/interceptingProxy.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';
import { readFolderTexts } from '../../support/readFolderTexts.ts';

const buildHint = 'Build Marketing afterward: what was restored has no data until then';

describe.each(['guide', 'contract'] as const)(
  'the rollback of a deleted custom table on an instance of the profile %s',
  (profile) => {
    const fixture = new ProjectFixture({ profile });

    test('says which relation cannot be restored before a build, and what a missing relation means', async () => {
      for (const path of [
        'datamodels/Retail/tables/Customer Value.table.json',
        'datamodels/Retail/tables/Customer Value.datamodel.sql',
        'datamodels/Retail/relations/Customer Value.Customer Id - Customers.Customer Id.relation.json',
      ]) {
        await fixture.remove(path);
      }
      const viewpoint = 'viewpoints/Profit by Week.viewpoint.json';
      await fixture.changeJson(viewpoint, { description: 'The write after the deletion' });
      const held = Promise.withResolvers<void>();
      let isDeleted = false;
      fixture.proxy.intercept((request) => {
        isDeleted ||= request.method === 'DELETE' && request.path.includes('/tables/');
        return isDeleted && request.method !== 'DELETE' && isWrite(request) ? 'hold' : 'forward';
      }, held.resolve);
      const run = fixture.start('apply', '--prune', 'tables,relations', '--execute');
      await held.promise;
      const [, journal = ''] = await run.waitForMessage(/Journal: (\S+)/);
      run.kill('SIGKILL');
      await run.ended;
      fixture.proxy.intercept();

      const unrestored =
        "because a build must create columns first: Customer Value – Customers, settings of Customer Value.Customer Id. Until a relation exists, rules on one of its tables don't restrict the other";
      const shown = await fixture.expectExit(0, 'roll-back', journal);
      expect(shown.stderr).toContain(`Won't be restored, ${unrestored}`);
      const preview = await fixture.expectExit(0, 'roll-back', journal, '--format', 'json');
      expect(rollBackOutputSchema.parse(JSON.parse(preview.stdout)).notRestored).toEqual([
        'Customer Value.Customer Id',
        'Customer Value – Customers',
      ]);
      const rolledBack = await fixture.expectExit(2, 'roll-back', journal, '--execute');
      expect(rolledBack.stderr).toContain('The change was rolled back, except for 2 items.');
      expect(rolledBack.stderr).toContain(`Not restored, ${unrestored}`);
      expect(rolledBack.stderr).not.toContain('Done.');
    });

    test.each(['json', 'text'])(
      'says what cannot be restored before a build, even if the outcome of the deletion was unknown (%s)',
      async (format) => {
        const files = await readFolderTexts(join(fixture.project, 'datamodels/Retail'));
        const removed = [...files].filter(([path]) => path.includes('Customer Value'));
        for (const [path] of removed) {
          await fixture.remove(`datamodels/Retail/${path}`);
        }
        const held = Promise.withResolvers<void>();
        fixture.proxy.intercept(
          ({ method, path }) =>
            method === 'DELETE' && path.includes('/tables/') ? 'hold-response' : 'forward',
          held.resolve,
        );
        const run = fixture.start('apply', '--prune', 'tables,relations,rules', '--execute');
        await held.promise;
        const [, journal = ''] = await run.waitForMessage(/Journal: (\S+)/);
        run.kill('SIGKILL');
        await run.ended;
        fixture.proxy.intercept();

        // The printed command plans the remaining deletions, with the same --prune as the apply.
        const shown = await fixture.expectExit(0, 'resume', journal, '--project', fixture.project);
        expect(shown.stderr).toContain('datamodel-studio plan --prune tables,relations,rules --project');

        const names = ['Customer Value.Customer Id', 'Customer Value – Customers'];
        const usesProject = format === 'json';
        const project = ['--project', fixture.project] as const;
        const rollBack = ['roll-back', journal, '--format', format, ...(usesProject ? project : [])];
        const preview = await fixture.expectExit(0, ...rollBack);
        const rolledBack = await fixture.expectExit(2, ...rollBack, '--execute');
        if (format === 'json') {
          for (const { stdout } of [preview, rolledBack]) {
            expect(rollBackOutputSchema.parse(JSON.parse(stdout)).notRestored).toEqual(names);
          }
        } else {
          const reason = ', because a build must create columns first: Customer';
          expect(preview.stderr).toContain(`Won't be restored${reason}`);
          expect(rolledBack.stderr).toContain(`Not restored${reason}`);
          expect(rolledBack.stderr).toContain('The change was rolled back, except for 2 items.');
        }

        // After a build, an apply restores the rest. Without the project, the printed pull comes first: only a person
        // can say whether the table, which has lost its relation, stays deleted.
        if (!usesProject) {
          expect(rolledBack.stderr).toContain('run: datamodel-studio pull');
          const pulled = await fixture.expectExit(2, 'pull', ...project);
          expect(pulled.stderr).toContain('Conflict: table/Retail/Customer Value: deleted in the project');
          await fixture.expectExit(0, 'pull', '--conflicts', 'ours', ...project);
        }
        for (const [path, text] of removed) {
          await fixture.write(`datamodels/Retail/${path}`, text);
        }
        await fixture.expectExit(0, 'build', 'Retail', '--execute');
        await fixture.expectExit(0, 'apply', '--execute');
        await fixture.expectExit(0, 'plan');
      },
    );
  },
);

describe.each(['guide', 'contract'] as const)(
  'after the rollback of deleted custom tables on an instance of the profile %s',
  (profile) => {
    const fixture = new ProjectFixture({ profile });
    const environment = ['--environment', 'test'] as const;

    test.each(['before', 'after'] as const)(
      'an apply restores the rest if the files were restored %s the rollback',
      async (whenFilesAreRestored) => {
        await fixture.addEnvironment('test');
        const files = await readFolderTexts(join(fixture.project, 'datamodels/Retail'));
        for (const path of files.keys()) {
          if (/Monthly Store Sales|Store Ranking|Customer Value/.test(path)) {
            await fixture.remove(`datamodels/Retail/${path}`);
          }
        }
        const restoreFiles = async () => {
          for (const [path, text] of files) {
            await fixture.write(`datamodels/Retail/${path}`, text);
          }
        };
        const viewpoint = 'viewpoints/Profit by Week.viewpoint.json';
        await fixture.changeJson(viewpoint, { description: 'The write after the deletion' });
        const held = Promise.withResolvers<void>();
        fixture.proxy.intercept(
          (request) =>
            isWrite(request) && request.body.includes('The write after the deletion') ? 'hold' : 'forward',
          held.resolve,
        );
        const run = fixture.start('apply', '--prune', 'tables,relations,rules', '--execute', ...environment);
        const [, journal = ''] = await run.waitForMessage(/Journal: (\S+)/);
        await held.promise;
        run.kill('SIGKILL');
        await run.ended;
        fixture.proxy.intercept();

        if (whenFilesAreRestored === 'before') {
          await restoreFiles();
        }
        const rolledBack = await fixture.expectExit(
          2,
          'roll-back',
          journal,
          '--execute',
          ...environment,
          '--project',
          fixture.project,
        );
        expect(rolledBack.stderr).toContain('settings of Monthly Store Sales.Store Id');
        expect(rolledBack.stderr).toContain('Monthly Store Sales – Stores');
        if (whenFilesAreRestored === 'after') {
          await restoreFiles();
        }
        await fixture.expectExit(
          0,
          'build',
          'Retail',
          '--execute',
          ...environment,
          '--project',
          fixture.project,
        );

        // Other users' changes after the rollback aren't overwritten.
        const setHidden = (isHidden: boolean) =>
          fixture.runAsOtherUser(async (client) => {
            const { table, keys } = await findRetailTable(client, 'Monthly Store Sales');
            const columns = table.columns?.map((column) =>
              column.name === 'Region' ? { ...column, hidden: isHidden } : column,
            );
            await client.tables.update(keys, { columns });
          });
        await setHidden(true);
        const refused = await fixture.expectExit(4, 'apply', '--execute', ...environment);
        expect(refused.stderr).toContain(
          '1 item has changed on the server since the last pull: table/Retail/Monthly Store Sales.',
        );
        await setHidden(false);
        await fixture.expectExit(0, 'apply', '--execute', ...environment);
        await fixture.expectExit(0, 'plan', ...environment);
      },
    );
  },
);

describe.each([
  ['guide', false],
  ['contract', true],
] as const)('the rollback of a deleted datamodel on an instance of the profile %s', (profile, needsBuild) => {
  const fixture = new ProjectFixture({ profile });

  test.each(['roll-back', 'resume'] as const)(
    'can be continued if the apply was killed before it got the response to its only step (%s)',
    async (command) => {
      await fixture.remove('datamodels/Marketing');
      const held = Promise.withResolvers<void>();
      fixture.proxy.intercept(
        ({ method, path }) =>
          method === 'DELETE' && path.includes('/datamodels/') ? 'hold-response' : 'forward',
        held.resolve,
      );
      const run = fixture.start('apply', '--prune', 'datamodels', '--execute');
      await held.promise;
      const [, journal = ''] = await run.waitForMessage(/Journal: (\S+)/);
      run.kill('SIGKILL');
      await run.ended;
      // Some instances refuse the rules until a build; on the others, the proxy does.
      fixture.proxy.intercept(({ method, path }) =>
        !needsBuild && method === 'POST' && path.includes('datasecurity') ? 403 : 'forward',
      );
      const project = ['--project', fixture.project] as const;
      const first = await fixture.expectExit(1, 'roll-back', journal, '--execute', ...project);
      expect(first.stderr).toMatch(/^Stopped after \d+ of \d+ steps\./m);
      fixture.proxy.intercept();

      expect((await fixture.expectExit(0, 'resume')).stdout).toContain(`${journal}  `);
      const refused = await fixture.expectExit(4, 'apply', '--prune', 'datamodels', '--execute');
      expect(refused.stderr).toContain('An earlier change was interrupted.');
      if (needsBuild) {
        await fixture.expectExit(0, 'build', 'Marketing', '--execute');
      }
      await fixture.expectExit(0, command, journal, '--execute', ...project);
      expect((await fixture.expectExit(0, 'resume')).stderr).toContain('No interrupted changes.');
      const files = await fixture.readInstance();
      const rules = [...files.keys()].filter((path) => /^datamodels\/Marketing\/.*rules/.test(path));
      expect(rules.length > 0).toBe(command === 'roll-back');
    },
  );

  /** Deletes datamodels on the instance with an apply that is killed afterward; returns the ID of its journal. */
  const killAfterDeletions = async (count: number): Promise<string> => {
    const viewpoint = 'viewpoints/Profit by Week.viewpoint.json';
    await fixture.changeJson(viewpoint, { description: 'The write after the deletion' });
    const held = Promise.withResolvers<void>();
    let deletedCount = 0;
    fixture.proxy.intercept((request) => {
      deletedCount += request.method === 'DELETE' && request.path.includes('/datamodels/') ? 1 : 0;
      return deletedCount === count && request.method !== 'DELETE' && isWrite(request) ? 'hold' : 'forward';
    }, held.resolve);
    const run = fixture.start('apply', '--prune', 'datamodels', '--execute');
    await held.promise;
    const [, journal = ''] = await run.waitForMessage(/Journal: (\S+)/);
    run.kill('SIGKILL');
    await run.ended;
    fixture.proxy.intercept();
    return journal;
  };

  test('names only the datamodels that exist again', async () => {
    await fixture.remove('datamodels/Marketing');
    await fixture.remove('datamodels/Retail');
    const journal = await killAfterDeletions(2);
    const rollBack = ['roll-back', journal, '--execute', '--project', fixture.project] as const;
    if (!needsBuild) {
      const { stderr } = await fixture.expectExit(2, ...rollBack);
      expect(stderr).toContain('Build Marketing, Retail afterward');
      expect(stderr).toMatch(/^Not restored, .*: .*Customer Value – Customers/m);
      return;
    }
    const first = await fixture.expectExit(1, ...rollBack);
    const [, title = ''] = /^(Marketing|Retail): restored without/m.exec(first.stderr) ?? [];
    const other = title === 'Retail' ? 'Marketing' : 'Retail';
    expect(title).not.toBe('');
    const shown = await fixture.expectExit(0, 'roll-back', journal);
    expect(shown.stdout).toContain(`\n    rolled back so far: created datamodel ${title}\n`);
    expect(shown.stdout).not.toContain(`created datamodel ${other}\n`);
    await fixture.expectExit(0, 'build', title, '--execute');

    const second = await fixture.expectExit(1, ...rollBack);
    expect(second.stderr).toMatch(
      new RegExp(`^${other}: restored without data security rules\\. .*build it`, 'm'),
    );
    await fixture.expectExit(0, 'build', other, '--execute');

    const third = await fixture.expectExit(2, ...rollBack);
    expect(third.stderr).not.toContain('restored without');
    expect(third.stderr).not.toContain('afterward');
  });

  test('says what to build, and warns as long as the datamodel has no rules', async () => {
    await fixture.remove('datamodels/Marketing');
    const journal = await killAfterDeletions(1);

    // A plan says that an apply would be refused.
    const plan = await fixture.expectExit(2, 'plan', '--prune', 'datamodels');
    expect(plan.stdout).toMatch(/interrupted.*Until then, an apply is refused\.$/m);
    expect(plan.stderr).toContain(`roll-back ${journal} --execute`);

    // The steps are shown before anything is written.
    const shown = await fixture.expectExit(0, 'roll-back', journal);
    expect(shown.stdout).toContain(
      '\n    deleted datamodel Marketing\n    might have changed viewpoint Profit by Week\n',
    );

    const project = ['--project', fixture.project] as const;
    const first = await fixture.expectExit(needsBuild ? 1 : 0, 'roll-back', journal, '--execute', ...project);
    const warning = 'Marketing: restored without data security rules.';
    expect(first.stderr.includes(warning)).toBe(needsBuild);
    expect(first.stderr).not.toContain('Check the name');
    if (needsBuild) {
      expect(first.stderr).not.toContain(buildHint);
      await fixture.expectExit(0, 'build', 'Marketing', '--execute');
      const second = await fixture.expectExit(0, 'roll-back', journal, '--execute', ...project);
      expect(second.stderr).not.toContain(warning);
      // The datamodel was built already.
      expect(second.stderr).not.toContain('afterward');
    } else {
      expect(first.stderr).toContain(buildHint);
    }
  });
});
