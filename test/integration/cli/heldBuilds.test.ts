import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { buildOutputSchema } from '../../../src/cli/outputSchemas.ts';
import { planOutputSchema } from '../../../src/cli/planOutputSchema.ts';
import { resumeOutputSchema, rollBackOutputSchema } from '../../../src/cli/recoveryOutputSchemas.ts';
import { findRetailTable } from '../../support/demoTables.ts';
import { isWrite } from '../../support/interceptingProxy.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';

const folder = 'datamodels/Retail';
const interrupted = 'An earlier change was interrupted. Finish it or roll it back first.';
const held = `${interrupted} Until then, relations of Retail might be missing, and after a build, rules might not restrict all of its tables.`;

describe.each(['guide', 'contract'] as const)('on an instance of the profile %s', (profile) => {
  const fixture = new ProjectFixture({ profile });

  /** Stops an apply after it has created a table, and before it creates the relation of the table. Returns its journal. */
  const stopBeforeRelation = async () => {
    const stores = await fixture.readJson(`${folder}/tables/Stores.table.json`);
    const columns = (stores['columns'] as readonly JsonObject[]).slice(0, 1);
    await fixture.write(`${folder}/tables/Stores Copy.table.json`, {
      ...stores,
      name: 'Stores Copy',
      columns,
    });
    await fixture.write(`${folder}/relations/Stores Copy.relation.json`, {
      columns: [
        { table: 'Stores', column: 'Store Id' },
        { table: 'Stores Copy', column: 'Store Id' },
      ],
    });
    fixture.proxy.intercept(async (request) =>
      isWrite(request) && request.path.includes('/relations') ? 500 : 'forward',
    );
    const stopped = await fixture.run('apply', '--execute');
    fixture.proxy.intercept();
    expect(stopped.code, stopped.stderr).not.toBe(0);
    return { stopped, journal: /Journal: (\S+)/.exec(stopped.stderr)?.[1] ?? '' };
  };

  test('a datamodel is not built while its change is interrupted, and the finished change says to build it', async () => {
    const { stopped, journal } = await stopBeforeRelation();
    expect(stopped.stderr).toContain(
      "Don't build Retail before the change is finished or rolled back: relations or rules might be missing, so rules might not restrict all tables.\n",
    );
    fixture.proxy.takeRequests();
    const refused = await fixture.expectExit(4, 'build', 'Retail', '--execute');
    expect(refused.stderr).toContain(`${held} Nothing was started.\n`);
    expect(refused.stderr).toContain(`Finish:    datamodel-studio resume ${journal} --execute --url `);
    expect(fixture.proxy.takeRequests().filter(isWrite)).toEqual([]);
    const shown = await fixture.expectExit(0, 'build', 'Retail');
    expect(shown.stderr).toContain(`Nothing was started. ${held}\n`);
    const json = await fixture.expectExit(0, 'build', 'Retail', '--format', 'json');
    expect(buildOutputSchema.parse(JSON.parse(json.stdout)).interrupted).toEqual({ journal, text: held });
    // These builds are allowed: the change doesn't concern the datamodel, or the build doesn't contain what the change
    // has written.
    expect((await fixture.expectExit(0, 'build', 'Marketing')).stderr).not.toContain(interrupted);
    const running = await fixture.expectExit(0, 'build', 'Retail', '--schema-origin', 'running');
    expect(running.stderr).not.toContain(interrupted);
    // Standard output has everything that is needed to judge a plan.
    const note = `${interrupted} Until then, an apply is refused.\n`;
    for (const command of ['plan', 'drift']) {
      const { stdout, stderr } = await fixture.expectExit(2, command);
      expect(stdout).toContain(note);
      expect(stderr).not.toContain(note);
    }
    // The server might reject the same request again.
    fixture.proxy.intercept((request) =>
      isWrite(request) && request.path.includes('/relations') ? 400 : 'forward',
    );
    const rejected = await fixture.expectExit(
      1,
      'resume',
      journal,
      '--execute',
      '--project',
      fixture.project,
    );
    fixture.proxy.intercept();
    expect(rejected.stderr).toMatch(
      /If that can't succeed, roll the change back, correct the files, and apply again\.\nRoll back: .*\nFinish: .*\nIf neither is possible, keep what is on the instance: .* abandon /,
    );
    const applied = await fixture.expectExit(0, 'apply', '--format', 'json');
    expect(planOutputSchema.pick({ interrupted: true }).parse(JSON.parse(applied.stdout))).toMatchObject({
      interrupted: { journal },
    });

    const args = ['resume', journal, '--execute', '--format', 'json', '--project', fixture.project];
    const finished = await fixture.expectExit(0, ...args);
    expect(finished.stderr).toContain('Build Retail afterward, so that queries show the change.\n');
    const output = resumeOutputSchema.parse(JSON.parse(finished.stdout));
    expect(output.builds).toEqual([{ datamodel: 'Retail', type: 'schema_changes' }]);
    // The output has the steps after the command, with the names of the written items.
    const named = { action: 'create', datamodel: 'Retail' };
    expect(output.interrupted[0]?.steps.map(({ state, documents }) => [state, documents])).toEqual([
      ['done', [{ ...named, kind: 'table', name: 'Stores Copy' }]],
      ['done', [{ ...named, kind: 'relation', name: 'Stores.Store Id – Stores Copy.Store Id' }]],
    ]);
    await fixture.expectExit(0, 'build', 'Retail');
  });

  test('a build says which relations are missing since a change was abandoned, until they exist', async () => {
    const returns = `${folder}/tables/Returns.table.json`;
    await fixture.remove(returns);
    const relations = (await readdir(join(fixture.project, folder, 'relations'))).filter((name) =>
      name.includes('Returns'),
    );
    for (const name of relations) {
      await fixture.remove(`${folder}/relations/${name}`);
    }
    fixture.proxy.intercept((request) =>
      request.method === 'DELETE' && request.path.includes('/tables/') ? 403 : 'forward',
    );
    const limits = ['--datamodel', 'Retail', '--ignore-errors', 'viewpoint/unknown-table'];
    const args = ['--prune', 'tables,relations', '--execute', ...limits] as const;
    const stopped = await fixture.expectExit(1, 'apply', ...args);
    fixture.proxy.intercept();
    expect(stopped.stderr).toContain("Don't build Retail before the change is finished or rolled back");
    const journal = /Journal: (\S+)/.exec(stopped.stderr)?.[1] ?? '';
    const warning =
      'Before you build Retail, check the relations and rules: some might be missing, so rules might not restrict all tables afterward.\n';
    expect((await fixture.expectExit(0, 'abandon', journal)).stderr).toContain(warning);
    expect((await fixture.expectExit(0, 'abandon', journal, '--execute')).stderr).toContain(warning);
    const missing = `Relations of Retail are missing since change ${journal} was abandoned, so after a build, rules might not restrict all of its tables: `;
    for (const options of [[], ['--execute', '--no-wait']]) {
      const { stderr } = await fixture.expectExit(0, 'build', 'Retail', ...options);
      expect(stderr).toContain(`${missing}Returns.Order Item Id – Order Items.Order Item Id.\n`);
    }
    const name = 'Returns.Order Item Id – Order Items.Order Item Id';
    for (const command of ['plan', 'apply']) {
      const { stdout } = await fixture.expectExit(0, command, ...limits);
      expect(stdout).toContain(`${missing}${name}.\n`);
    }
    for (const format of ['markdown', 'github']) {
      const report = await fixture.expectExit(0, 'plan', ...limits, '--format', format);
      expect(report.stdout).toContain('Missing relations');
    }
    const json = await fixture.expectExit(0, 'plan', ...limits, '--format', 'json');
    expect(planOutputSchema.parse(JSON.parse(json.stdout)).missingRelations).toEqual([
      { datamodel: 'Retail', journal, relations: [name], text: `${missing}${name}.` },
    ]);
    const other = await fixture.run('plan', '--datamodel', 'Marketing');
    expect(other.stdout).not.toContain('Relations of');
    expect((await fixture.expectExit(0, 'build', 'Marketing')).stderr).not.toContain('Relations of');
    await fixture.runAsOtherUser(async (client) =>
      client.tables.delete((await findRetailTable(client, 'Returns')).keys),
    );
    expect((await fixture.expectExit(0, 'build', 'Retail')).stderr).not.toContain('Relations of');
    expect((await fixture.run('plan', ...limits)).stdout).not.toContain('Relations of');
  });

  test('a datamodel may be built after its change is rolled back', async () => {
    const { journal } = await stopBeforeRelation();
    const args = ['roll-back', journal, '--execute', '--format', 'json'];
    const rolledBack = await fixture.expectExit(0, ...args);
    expect(rolledBack.stderr).toContain('If Retail was built since the change began, build it again.\n');
    expect(rollBackOutputSchema.parse(JSON.parse(rolledBack.stdout)).builds).toEqual([
      { datamodel: 'Retail', type: 'schema_changes' },
    ]);
    expect((await fixture.expectExit(0, 'build', 'Retail')).stderr).not.toContain(interrupted);
  });
});
