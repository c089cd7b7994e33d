import { describe, expect, test } from 'vitest';
import { driftOutputSchema } from '../../../src/cli/outputs.ts';
import { isWrite } from '../../support/interceptingProxy.ts';
import { ProjectFixture, readFiles } from '../../support/projectFixture.ts';

const ordersPath = 'datamodels/Retail/tables/Orders.table.json';

describe.each(['guide', 'contract'] as const)('an instance of the profile %s', (profile) => {
  const fixture = new ProjectFixture({ profile });
  const drift = (code: number, ...args: readonly string[]) => fixture.expectExit(code, 'drift', ...args);

  test('that has not drifted is the same, and nothing is written anywhere', async () => {
    const before = await readFiles(fixture.project);
    expect(await drift(0)).toMatchObject({
      stdout: '',
      stderr: 'No differences between the instance and the project.\n',
    });
    const requests = fixture.proxy.takeRequests();
    expect(requests.length).toBeGreaterThan(10);
    expect(requests.filter(isWrite)).toEqual([]);
    expect(await readFiles(fixture.project)).toEqual(before);
    const junit = await drift(0, '--format', 'junit');
    expect(junit.stdout).toContain('tests="1" failures="0" errors="0"');
    expect((await drift(0, '--format', 'markdown')).stdout).toBe(
      '### Drift of `default`\n\nNo differences between the instance and the project.\n',
    );
  });

  test('that has drifted differs: what, where, and on which side', async () => {
    await fixture.describeTable('Orders', 'Changed there');
    await fixture.change('viewpoints/Profit by Week.viewpoint.json', { enabled: true });
    await fixture.remove('viewpoints/Profit by Month.viewpoint.json');
    await fixture.write('viewpoints/New.viewpoint.json', { name: 'New <b>', description: '' });
    const text = await drift(2);
    expect(text.stdout.split('\n')).toEqual([
      'table/Retail/Orders: differs, changed on the server since the last pull',
      expect.stringMatching(
        /^ {4}description: "Changed there" on the instance, "One row .+" in the project$/,
      ),
      'viewpoint/New <b>: only in the project',
      'viewpoint/Profit by Week: differs',
      '    enabled: false on the instance, true in the project',
      '    visibility/enabled: false on the instance, true in the project',
      'viewpoint/Profit by Month: only on the instance',
      '',
    ]);
    expect(text.stderr).toBe('4 items differ.\n');
    const view = driftOutputSchema.parse(JSON.parse((await drift(2, '--format', 'json')).stdout));
    expect(view).toMatchObject({ state: 'differs', counts: { differs: 4 }, unknown: [] });
    expect(view.items[0]).toMatchObject({
      item: 'table/Retail/Orders',
      path: ordersPath,
      state: 'changed',
      changedOnServer: true,
      parts: [{ pointer: '/description', instance: 'Changed there' }],
    });
    const junit = (await drift(2, '--format', 'junit')).stdout;
    expect(junit).toContain('tests="5" failures="4"');
    expect(junit).toContain('name="viewpoint/New &lt;b&gt;"');
    const markdown = (await drift(2, '--format', 'markdown')).stdout;
    expect(markdown).toContain('#### Differences (4)\n\n');
    expect(markdown).toContain('- `viewpoint/New <b>: only in the project`\n');
    expect((await drift(0, '--datamodel', 'Marketing')).stdout).toBe('');
    expect(fixture.proxy.takeRequests().filter(isWrite)).toEqual([]);
  });

  test('that can not be read is unknown, not gone', async () => {
    await fixture.sandbox.setFaults([{ kind: 'status', status: 403, pathPrefix: '/api/elasticubes' }]);
    const exit = await drift(3);
    expect(exit.stdout).toBe('');
    expect(exit.stderr).toContain("Can't read the rules of Retail: ");
    const view = driftOutputSchema.parse(JSON.parse((await drift(3, '--format', 'json')).stdout));
    expect(view).toMatchObject({ state: 'unknown', items: [] });
    expect((await drift(3, '--format', 'junit')).stdout).toContain('<error type="unknown"');
    expect((await drift(3, '--format', 'markdown')).stdout).toContain("#### Can't be read (");
    await fixture.sandbox.setFaults([{ kind: 'drop' }]);
    await drift(3);
    const empty = await fixture.createFolder('empty');
    expect((await drift(4, '--project', empty)).stderr).toContain('The folder is not a project');
  });
});
