import { describe, expect, test } from 'vitest';
import { planOutputSchema } from '../../../src/cli/planOutputSchema.ts';
import { findRetailTable } from '../../support/demoTables.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';

const time = 'until Retail is built, if queries use the schema of the last build';
const summary =
  'After the next build, no one gains or loses access. Until the next build, more data might be visible: see "Not checked".';
const subjects = [
  { server: 'LocalHost', elasticube: 'Retail' },
  { server: 'set', elasticube: 'Regional Sales' },
];

describe.each(['guide', 'contract'] as const)('on an instance of the profile %s', (profile) => {
  const fixture = new ProjectFixture({ profile });

  test('a plan warns that rules on a former name might still restrict queries until the next build', async () => {
    const settings = await fixture.readJson('datamodel-studio.json');
    const manage = { ...(settings['manage'] as object), cubeSets: ['Regional Sales'] };
    await fixture.write('datamodel-studio.json', { ...settings, manage });
    await fixture.expectExit(0, 'build', 'Retail', '--execute');
    await fixture.runAsOtherUser(async (client) => {
      const rule = { table: 'Products', column: 'Brand', datatype: 'text', members: [] } as const;
      for (const subject of subjects) {
        await client.extractRules.create(subject, [
          { ...rule, allMembers: false, shares: [{ type: 'default' }] },
        ]);
      }
      // A rename on the instance changes no rules.
      const { table, keys } = await findRetailTable(client, 'Products');
      const columns = (table.columns ?? []).map((column) =>
        column.name === 'Brand' ? { ...column, name: 'Label' } : column,
      );
      await client.tables.update(keys, { columns });
    });
    await fixture.expectExit(0, 'pull', '--project', fixture.project);
    await fixture.remove('datamodels/Retail/rules/Products.Brand.rules.json');
    await fixture.remove('cube-sets/Regional Sales/rules/Products.Brand.rules.json');
    const plan = async (...options: readonly string[]) => {
      const args = ['--prune', 'rules,cube-set-rules', '--ignore-errors', 'sql/unknown-column'];
      return (await fixture.expectExit(2, 'plan', ...args, ...options)).stdout;
    };
    const text = await plan();
    expect(text).toContain('- rules/Retail/Products/Brand\n');
    expect(text).toContain(summary);
    const gain = 'Products.Brand: no values → all values';
    expect(text).toContain(`\nNot checked: Everyone else: ${gain} · ${time}\n`);
    expect(text).toContain(`\nNot checked: Everyone else: cube set Regional Sales · ${gain} · ${time}\n`);
    const { access } = planOutputSchema.parse(JSON.parse(await plan('--format', 'json')));
    expect(access.untilBuild).toHaveLength(2);
    expect(await plan('--format', 'markdown')).toContain(time);
    // A build with the schema of the last one still has the former name.
    await fixture.expectExit(0, 'build', 'Retail', '--schema-origin', 'running', '--execute');
    expect(await plan()).toContain(summary);
  });
});
