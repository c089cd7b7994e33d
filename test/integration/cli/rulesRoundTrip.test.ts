import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isWrite } from '../../support/interceptingProxy.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';

const retail = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;

describe.each(['guide', 'contract'] as const)('rules of an instance of the profile %s', (profile) => {
  const fixture = new ProjectFixture({ profile });

  test('on columns and for users that no longer exist can be imported unchanged, but not changed', async () => {
    await fixture.runAsOtherUser(({ extractRules }) =>
      extractRules.create(retail, [
        {
          table: 'Orders',
          column: 'Former Name',
          datatype: 'text',
          members: ['A'],
          allMembers: null,
          shares: [{ type: 'user', party: 'ffffffffffffffffffffffff' }, { type: 'default' }],
        },
      ]),
    );
    const path = join(fixture.stateFolder, '..', `${profile}.csv`);
    const options = ['--datamodel', 'Retail'];
    await fixture.expectExit(0, 'rules', 'export', ...options, '--out', path);
    fixture.proxy.takeRequests();
    for (const mode of ['replace-all', 'replace-columns', 'add']) {
      const same = await fixture.expectExit(
        0,
        'rules',
        'import',
        path,
        ...options,
        '--mode',
        mode,
        '--execute',
      );
      expect(same.stderr).toContain('Warning: ');
      expect(same.stderr).toContain('Orders has no column Former Name. The rule would have no effect.');
      expect(same.stderr).toMatch(/\nNothing to change\.\n$/);
    }
    expect(fixture.proxy.takeRequests().filter(isWrite)).toEqual([]);
    await fixture.write(
      'changed.csv',
      ['table,column,access,value,party type,party', 'Orders,Former Name,only,B,default,'].join('\n'),
    );
    const changed = await fixture.expectExit(
      4,
      'rules',
      'import',
      join(fixture.project, 'changed.csv'),
      ...options,
      '--mode',
      'replace-all',
      '--execute',
    );
    expect(changed.stderr).toContain('Error: Row 2: Orders has no column Former Name.');
  });

  test('that a rule table cannot express are counted by the export, and refused by the import', async () => {
    const path = join(fixture.stateFolder, '..', `${profile} unimportable.csv`);
    const options = ['--datamodel', 'Retail'];
    await fixture.runAsOtherUser(({ extractRules }) =>
      extractRules.create(retail, [
        {
          table: 'Orders',
          column: 'Status',
          datatype: 'text',
          members: [],
          allMembers: null,
          shares: [{ type: 'default' }],
        },
      ]),
    );
    const { stderr } = await fixture.expectExit(0, 'rules', 'export', ...options, '--out', path);
    expect(stderr).toContain("Warning: 1 of the rules can't be imported: ");
    await fixture.expectExit(4, 'rules', 'import', path, ...options);
  });

  test('on a column that was renamed since the export do not replace the rules on its new name', async () => {
    const create = (column: string) => ({
      table: 'Orders',
      column,
      datatype: 'text',
      members: ['A'],
      allMembers: null,
      shares: [{ type: 'default' }],
    });
    const options = ['--datamodel', 'Retail'];
    const path = join(fixture.stateFolder, '..', `${profile} renamed.csv`);
    await fixture.runAsOtherUser(({ extractRules }) =>
      extractRules.create(retail, [create('Former Status')]),
    );
    await fixture.expectExit(0, 'rules', 'export', ...options, '--out', path);
    await fixture.runAsOtherUser(({ extractRules }) => extractRules.create(retail, [create('Status')]));
    fixture.proxy.takeRequests();
    const { stderr } = await fixture.expectExit(
      4,
      'rules',
      'import',
      path,
      ...options,
      '--mode',
      'replace-all',
      '--execute',
    );
    expect(stderr).toMatch(
      /^Error: Row \d+: Orders has no column Former Status\. The rule would have no effect\./m,
    );
    expect(fixture.proxy.takeRequests().filter(isWrite)).toEqual([]);
  });
});
