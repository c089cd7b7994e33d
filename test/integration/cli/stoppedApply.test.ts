import { mkdir, readdir, rename, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { resumeOutputSchema } from '../../../src/cli/recoveryOutputSchemas.ts';
import { readTableDescription } from '../../support/demoTables.ts';
import { expectDefined } from '../../support/expectations.ts';
import { isWrite, type ProxiedRequest } from '../../support/interceptingProxy.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';

const fixture = new ProjectFixture({ profile: 'guide' });
const takeWrites = () => fixture.proxy.takeRequests().filter(isWrite);
const rulesPath = 'datamodels/Retail/rules/Orders.Channel.rules.json';
const interruptedText = 'An earlier change was interrupted. Finish it or roll it back first.';

const changeDescriptions = async (...paths: readonly string[]): Promise<void> => {
  for (const path of paths) {
    await fixture.changeJson(path, { description: 'Mine' });
  }
};
const getTablePath = (name: string): string => `datamodels/Retail/tables/${name}.table.json`;

/** Changes a table, rules, and two viewpoints in the project; an apply writes them in this order. */
const edit = async (): Promise<void> => {
  await fixture.write(rulesPath, (await fixture.read(rulesPath)).replace('"Partner"', '"Web"'));
  await changeDescriptions(
    getTablePath('Stores'),
    'viewpoints/Profit by Week.viewpoint.json',
    'viewpoints/Units Sold by Week.viewpoint.json',
  );
};

/** Applies the project to an instance that refuses one of the writes, counted from 1; returns the ID of the journal. */
const stopApplyAtWrite = async (writeNumber: number, ...args: readonly string[]): Promise<string> => {
  let count = 0;
  fixture.proxy.intercept((request) => {
    count += isWrite(request) ? 1 : 0;
    return isWrite(request) && count === writeNumber ? 500 : 'forward';
  });
  const { stderr } = await fixture.expectExit(1, 'apply', '--execute', ...args);
  fixture.proxy.intercept();
  expect(stderr).toContain('. A check has shown that it had no effect.\n');
  expect(stderr).not.toContain('It may have succeeded.');
  expect(stderr).toMatch(
    /^Failed:\n    change (?:rules on|table|viewpoint) .+\n(?:Already|Not) written:\n    change /m,
  );
  return /Journal: (\S+)/.exec(stderr)?.[1] ?? '';
};

const project = () => ['--project', fixture.project] as const;

test('an apply that stopped prevents other applies and pulls until it is rolled back, and the next plan has its changes again', async () => {
  await edit();
  const journal = await stopApplyAtWrite(4);
  takeWrites();
  const { stdout, stderr } = await fixture.expectExit(2, 'plan');
  expect(stdout).toContain(`${interruptedText} Until then, an apply is refused.`);
  for (const refused of [
    `${stdout}${stderr}`,
    (await fixture.expectExit(4, 'apply', '--execute')).stderr,
    (await fixture.expectExit(4, 'pull', ...project(), '--state', fixture.stateFolder)).stderr,
  ]) {
    expect(refused).toContain(interruptedText);
    expect(refused).toContain(`Finish:    datamodel-studio resume ${journal} --execute`);
    expect(refused).toContain(`Roll back: datamodel-studio roll-back ${journal} --execute`);
    expect(refused).toContain(`keep what is on the instance: datamodel-studio abandon ${journal} `);
  }
  expect(takeWrites()).toEqual([]);

  await fixture.expectExit(0, 'roll-back', journal, '--execute', ...project());
  const planned = await fixture.expectExit(2, 'plan');
  expect(planned.stderr).not.toContain(interruptedText);
  expect(planned.stdout).toContain('~ rules/Retail/Orders/Channel\n');
  expect(planned.stdout).not.toContain('(changed on the server)');
  const rules = await fixture.read(rulesPath);
  await fixture.expectExit(0, 'pull', ...project());
  expect(await fixture.read(rulesPath)).toBe(rules);
  await fixture.expectExit(0, 'apply', '--execute');
});

test('plan and drift report a stopped apply in every format', async () => {
  await edit();
  const journal = await stopApplyAtWrite(4);
  // Items that the apply itself has written don't count as changed by others.
  await changeDescriptions(getTablePath('Orders'));
  await fixture.write(rulesPath, (await fixture.read(rulesPath)).replace('"Web"', '"Store"'));
  const text = `${interruptedText} Until then, an apply is refused.`;
  for (const command of ['plan', 'drift']) {
    const json = await fixture.expectExit(2, command, '--format', 'json');
    const { interrupted: note, changes, items = changes } = JSON.parse(json.stdout);
    expect(note).toEqual({ journal, text });
    expect(items).toContainEqual(
      expect.objectContaining({
        item: 'rules/Retail/Orders/Channel',
        changedOnServer: true,
        interrupted: true,
      }),
    );
    const markdown = await fixture.expectExit(2, command, '--format', 'markdown');
    expect(markdown.stdout).toContain(`\`${journal}\`: ${text}\n`);
  }
  const planned = await fixture.expectExit(2, 'plan');
  const byInterrupted = 'changed on the server, possibly by the interrupted change';
  expect(planned.stdout).toContain(`~ rules/Retail/Orders/Channel (${byInterrupted})\n`);
  expect(planned.stdout).toContain('~ table/Retail/Orders\n');
  expect((await fixture.expectExit(0, 'apply')).stdout).toContain(byInterrupted);
  const github = await fixture.expectExit(2, 'plan', '--format', 'github');
  expect(github.stdout).toContain(`::warning title=An earlier change was interrupted::${text}\n`);
  expect((await fixture.expectExit(2, 'drift', '--format', 'junit')).stdout).toContain(text);

  const { stdout, stderr } = await fixture.expectExit(2, 'drift');
  expect(stderr).toContain(`Finish:    datamodel-studio resume ${journal} `);
  expect(stdout).toContain(`${text}\n`);
  expect(stdout).toContain(
    'rules/Retail/Orders/Channel: differs, possibly because of the interrupted change\n',
  );
  expect(stdout).toContain('table/Retail/Orders: differs\n');
});

test('an apply that stopped can be abandoned, and the next apply writes the rest', async () => {
  await edit();
  const journal = await stopApplyAtWrite(4);
  await fixture.expectExit(0, 'abandon', journal, '--execute', ...project());
  takeWrites();
  await fixture.expectExit(0, 'apply', '--execute');
  expect(takeWrites().map(({ method }) => method)).toEqual(['PUT']);
});

test('an apply that stopped before it wrote anything prevents nothing, and is not listed', async () => {
  await changeDescriptions(getTablePath('Orders'), getTablePath('Stores'));
  await stopApplyAtWrite(1);
  expect(await fixture.expectExit(0, 'resume')).toMatchObject({
    stdout: '',
    stderr: 'No interrupted changes.\n',
  });
  expect((await fixture.expectExit(2, 'plan')).stderr).not.toContain(interruptedText);
  await fixture.expectExit(0, 'apply', '--execute');
});

test('if others have changed rules of a stopped apply, its rollback is refused and names the commands that can still end it', async () => {
  await edit();
  const journal = await stopApplyAtWrite(3);
  await changeRulesAsOtherUser();
  takeWrites();
  const refused = await fixture.expectExit(4, 'roll-back', journal, '--execute', ...project());
  expect(refused.stderr).toMatch(
    /^The rules on Retail › Orders › Channel were changed on the server in the meantime\. The change can't be rolled back\. Nothing was written\.\nFinish: {4}datamodel-studio resume \S+ --execute .*\nIf that isn't possible, keep what is on the instance: datamodel-studio abandon /m,
  );
  // Without --execute, the command announces the refusal.
  const preview = await fixture.expectExit(0, 'roll-back', journal, ...project());
  expect(preview.stdout).toContain('changed rules on Orders.Channel of Retail');
  const [, ...refusal] = refused.stderr.split('\n');
  expect(preview.stderr).toBe(['Will get new IDs: rules on Orders.Channel.', ...refusal].join('\n'));
  expect(takeWrites()).toEqual([]);
});

test('an apply can be rolled back if others deleted a rule before it would have changed the rules', async () => {
  await edit();
  let writeCount = 0;
  fixture.proxy.intercept(async (request): Promise<'forward'> => {
    writeCount += isWrite(request) ? 1 : 0;
    if (isWrite(request) && writeCount === 1) {
      await deleteRuleAsOtherUser();
    }
    return 'forward';
  });
  const { stderr } = await fixture.expectExit(1, 'apply', '--execute');
  fixture.proxy.intercept();
  const journal = /Journal: (\S+)/.exec(stderr)?.[1] ?? '';
  expect(stderr).toMatch(/\nRoll back: .*\nIf that isn't possible, keep what is on the instance: /);
  takeWrites();
  expect((await fixture.expectExit(0, 'roll-back', journal, ...project())).stderr).toContain(
    'Nothing was written. Add --execute to write.',
  );
  await fixture.expectExit(0, 'roll-back', journal, '--execute', ...project());
  expect(takeWrites().map(({ method }) => method)).toEqual(['PATCH']);
});

test('a resumed apply names the items that others have overwritten since it stopped', async () => {
  await edit();
  const journal = await stopApplyAtWrite(4);
  await changeRulesAsOtherUser();
  await fixture.setTableDescription('Stores', 'Theirs');
  await fixture.setTableDescription('Orders', 'Not of this change');
  const args = ['resume', journal, '--execute', ...project(), '--format', 'json'];
  const { stdout, stderr } = await fixture.expectExit(1, ...args);
  const problem =
    'The change was finished, but the instance differs from the project again because others have since changed these items: rules/Retail/Orders/Channel, table/Retail/Stores.';
  expect(stderr).toContain(problem);
  expect(stderr).not.toContain('Done.');
  expect(resumeOutputSchema.parse(JSON.parse(stdout)).result).toMatchObject({
    state: 'differs',
    steps: { done: 4, total: 4 },
    problem,
  });
  expect((await fixture.expectExit(2, 'plan')).stdout).toContain(
    '~ table/Retail/Stores (changed on the server)\n',
  );
});

test('an apply that stopped because others had changed a table cannot be finished, but can be rolled back', async () => {
  const paths = ['Order Items', 'Orders', 'Products', 'Stores'].map(getTablePath);
  await changeDescriptions(...paths);
  let count = 0;
  fixture.proxy.intercept(async (request) => {
    count += isWrite(request) ? 1 : 0;
    if (isWrite(request) && count === 2) {
      await fixture.setTableDescription('Products', 'Theirs');
    }
    return 'forward' as const;
  });
  // Messages name the datamodel only if the command knows its title, which the journal lacks.
  const getStoppedText = (datamodel: string): string =>
    [
      'Stopped after 2 of 4 steps. The table Products was changed on the server in the meantime.',
      'Already written:',
      `    change table Order Items${datamodel}`,
      `    change table Orders${datamodel}`,
      'Not written:',
      `    change table Products${datamodel}`,
      `    change table Stores${datamodel}`,
      "The change can't be finished because it would overwrite changes by others.",
      'Roll back: datamodel-studio roll-back ',
    ].join('\n');
  const applied = await fixture.expectExit(1, 'apply', '--execute');
  expect(applied.stderr).toContain(getStoppedText(' of Retail'));
  const journal = /Journal: (\S+)/.exec(applied.stderr)?.[1] ?? '';
  fixture.proxy.intercept();
  takeWrites();

  const resumed = await fixture.expectExit(4, 'resume', journal, '--execute', ...project());
  expect(resumed.stderr).toContain(
    "The table Products was changed on the server in the meantime. The change can't be finished. Nothing was written.\n" +
      'Roll back: datamodel-studio roll-back ',
  );
  expect(resumed.stderr).not.toContain("Couldn't verify which writes took effect");
  expect(takeWrites()).toEqual([]);
  const shown = await fixture.expectExit(0, 'resume', journal);
  expect(shown.stdout).toContain('    not done: change table Products of Retail\n');
  const json = await fixture.expectExit(0, 'resume', journal, '--format', 'json');
  const [change] = resumeOutputSchema.parse(JSON.parse(json.stdout)).interrupted;
  expect(change?.steps[2]).toEqual({
    endpoint: 'tables.update',
    state: 'failed',
    documents: [{ action: 'update', kind: 'table', name: 'Products', datamodel: 'Retail' }],
  });

  await fixture.expectExit(0, 'roll-back', journal, '--execute', ...project());
  expect(takeWrites()).toHaveLength(2);
  const description = (name: string) =>
    fixture.runAsOtherUser((client) => readTableDescription(client, name));
  expect(await description('Products')).toBe('Theirs');
  expect(await description('Orders')).not.toBe('Mine');
});

test('an apply whose journal cannot be written any more stops before the next write, and says how to continue', async () => {
  await changeDescriptions(...['Order Items', 'Orders', 'Products'].map(getTablePath));
  let [count, path] = [0, ''];
  fixture.proxy.intercept(async (request) => {
    count += isWrite(request) ? 1 : 0;
    if (isWrite(request) && count === 2) {
      const names = await readdir(fixture.stateFolder, { recursive: true });
      path = join(fixture.stateFolder, names.find((name) => name.endsWith('.jsonl')) ?? '');
      await rename(path, `${path}.kept`);
      await mkdir(path);
    }
    return 'forward' as const;
  });
  const { stdout, stderr } = await fixture.expectExit(1, 'apply', '--execute', '--format', 'json');
  const problem = `The change can't be recorded in ${dirname(path)}. `;
  expect(stderr).toContain(`Stopped after 2 of 3 steps. ${problem}`);
  const journal = /Journal: (\S+)/.exec(stderr)?.[1] ?? '';
  expect(stderr).toContain(`Finish:    datamodel-studio resume ${journal} --execute`);
  expect(stderr).toContain(`Roll back: datamodel-studio roll-back ${journal} --execute`);
  expect(JSON.parse(stdout)).toMatchObject({
    result: { state: 'stopped', steps: { done: 2, total: 3 }, problem: expect.stringContaining(problem) },
  });
  fixture.proxy.intercept();
  await rmdir(path);
  await rename(`${path}.kept`, path);
  takeWrites();
  await fixture.expectExit(0, 'resume', journal, '--execute', ...project());
  expect(takeWrites()).toHaveLength(1);
});

test('an apply to production that stopped is ended outside its project only with a confirmation', async () => {
  await fixture.addEnvironment('prod', { role: 'production' });
  await edit();
  const journal = await stopApplyAtWrite(4, '--environment', 'prod', '--confirm', 'prod');
  takeWrites();
  for (const [code, ...command] of [
    [2, 'plan'],
    [2, 'drift'],
    [4, 'pull', ...project(), '--state', fixture.stateFolder],
    [4, 'apply', '--execute', '--confirm', 'prod'],
  ] as const) {
    const { stderr } = await fixture.expectExit(code, ...command, '--environment', 'prod');
    for (const name of ['resume', 'roll-back']) {
      expect(stderr).toContain(`datamodel-studio ${name} ${journal} --execute --confirm prod `);
    }
  }
  for (const command of ['resume', 'roll-back', 'abandon']) {
    for (const confirmation of [[], ['--confirm', 'default']]) {
      const { stderr } = await fixture.expectExit(4, command, journal, '--execute', ...confirmation);
      expect(stderr).toContain(
        'The environment prod is a production instance. To write to it, add --confirm prod.',
      );
    }
  }
  expect(takeWrites()).toEqual([]);
  const { stderr } = await fixture.expectExit(0, 'resume', journal, '--execute', '--confirm', 'prod');
  expect(stderr).toContain(
    'In the project folder, run: datamodel-studio pull --environment prod --token-env STUDIO_TOKEN --state ',
  );
  expect(takeWrites()).toHaveLength(1);
});

/** Changes the rules on Orders.Channel on the instance, as another user. */
const changeRulesAsOtherUser = (): Promise<void> =>
  fixture.runAsOtherUser(async ({ extractRules }) => {
    const cube = { server: 'LocalHost', elasticube: 'Retail' };
    const column = { table: 'Orders', column: 'Channel' };
    const rule = (await extractRules.listByColumn({ ...cube, ...column })).value.find(({ members }) =>
      members?.includes('Web'),
    );
    await extractRules.update(
      { ...cube, ruleId: rule?._id ?? '' },
      { ...column, ...rule, members: ['Store'] },
    );
  });

/** Deletes the rule that the edits of {@link edit} change. */
const deleteRuleAsOtherUser = (): Promise<void> =>
  fixture.runAsOtherUser(async ({ extractRules }) => {
    const cube = { server: 'LocalHost', elasticube: 'Retail' };
    const column = { table: 'Orders', column: 'Channel' };
    const rule = (await extractRules.listByColumn({ ...cube, ...column })).value.find(({ members }) =>
      members?.includes('Partner'),
    );
    await extractRules.delete({ ...cube, ruleId: rule?._id ?? '' });
  });

test('if its only request has shown no effect, an apply says what to do if the request takes effect later', async () => {
  await changeDescriptions(getTablePath('Stores'));
  fixture.proxy.intercept((request) => (isWrite(request) ? 500 : 'forward'));
  const { stderr } = await fixture.expectExit(1, 'apply', '--execute');
  fixture.proxy.intercept();
  expect(stderr).not.toContain('Nothing was changed on the server.');
  const [, journal = ''] = /Roll back: datamodel-studio roll-back (\S+) /.exec(stderr) ?? [];
  expect(stderr).toContain(`Abandon:   datamodel-studio abandon ${journal} `);
  const abandoned = await fixture.expectExit(0, 'abandon', journal);
  expect(abandoned.stderr).toContain('; 1 step might not have been completed.');
  const before = await fixture.runAsOtherUser((client) => readTableDescription(client, 'Stores'));
  // The request takes effect late.
  await fixture.setTableDescription('Stores', 'Mine');
  const rolledBack = await fixture.expectExit(0, 'roll-back', journal, '--execute');
  expect(rolledBack.stderr).toContain('Done. The change was rolled back.');
  expect(await fixture.runAsOtherUser((client) => readTableDescription(client, 'Stores'))).toBe(before);
});

describe.each(['guide', 'contract'] as const)('profile %s', (profile) => {
  const ruleFixture = new ProjectFixture({ profile });

  test('an apply says that its only request, a change of rules, has shown no effect, and a late effect can be rolled back', async () => {
    const before = await ruleFixture.read(rulesPath);
    await ruleFixture.write(rulesPath, before.replace('"Partner"', '"Web"'));
    let first: ProxiedRequest | undefined;
    ruleFixture.proxy.intercept((request) => {
      if (!isWrite(request)) {
        return 'forward';
      }
      first ??= request;
      return 500;
    });
    const { stderr } = await ruleFixture.expectExit(1, 'apply', '--execute');
    ruleFixture.proxy.intercept();
    expect(stderr).toContain(
      'Nothing has changed on the server so far, but a request might still take effect.',
    );
    const [, journal = ''] = /Roll back: datamodel-studio roll-back (\S+) /.exec(stderr) ?? [];
    const abandoned = await ruleFixture.expectExit(0, 'abandon', journal);
    expect(abandoned.stderr).toContain('might not have been completed.');
    // The request takes effect late.
    const { url, adminToken } = ruleFixture.sandbox;
    const { method, path, body } = expectDefined(first);
    const response = await fetch(new URL(path, url), {
      method,
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      ...(body === '' ? {} : { body }),
    });
    expect(response.ok).toBe(true);
    const rolledBack = await ruleFixture.expectExit(0, 'roll-back', journal, '--execute');
    expect(rolledBack.stderr).toContain(
      'A request that has shown no effect so far might still take effect: change rules on Orders.Channel of Retail.',
    );
    await ruleFixture.write(rulesPath, before);
    await ruleFixture.expectExit(0, 'plan');
  });
});

test('an apply that wrote nothing before it stopped can only be abandoned once a second apply has written the same content', async () => {
  await changeDescriptions(getTablePath('Stores'));
  fixture.proxy.intercept((request) => (isWrite(request) ? 500 : 'forward'));
  const { stderr } = await fixture.expectExit(1, 'apply', '--execute');
  fixture.proxy.intercept();
  const [, journal = ''] = /Roll back: datamodel-studio roll-back (\S+) /.exec(stderr) ?? [];
  await fixture.expectExit(0, 'apply', '--execute');
  takeWrites();
  for (const command of ['resume', 'roll-back']) {
    const refused = await fixture.expectExit(4, command, journal, '--execute');
    expect(refused.stderr).toContain('a later change has written the same items');
  }
  await fixture.expectExit(0, 'abandon', journal, '--execute');
  expect(takeWrites()).toEqual([]);
  expect(await fixture.runAsOtherUser((client) => readTableDescription(client, 'Stores'))).toBe('Mine');
});

test('an apply that wrote nothing before it stopped can be ended after an apply of something else', async () => {
  await changeDescriptions(getTablePath('Stores'));
  fixture.proxy.intercept((request) => (isWrite(request) ? 500 : 'forward'));
  const { stderr } = await fixture.expectExit(1, 'apply', '--execute', '--datamodel', 'Retail');
  fixture.proxy.intercept();
  const [, journal = ''] = /Roll back: datamodel-studio roll-back (\S+) /.exec(stderr) ?? [];
  await changeDescriptions('viewpoints/Profit by Week.viewpoint.json');
  await fixture.expectExit(0, 'apply', '--execute', '--viewpoint', 'Profit by Week');
  const before = await fixture.runAsOtherUser((client) => readTableDescription(client, 'Stores'));
  // The request takes effect late.
  await fixture.setTableDescription('Stores', 'Mine');
  for (const command of ['resume', 'roll-back', 'abandon']) {
    await fixture.expectExit(0, command, journal);
  }
  await fixture.expectExit(0, 'roll-back', journal, '--execute');
  expect(await fixture.runAsOtherUser((client) => readTableDescription(client, 'Stores'))).toBe(before);
});

/** Changes a table, and adds a relation. */
async function editWithRelation(): Promise<void> {
  await changeDescriptions(getTablePath('Stores'));
  await fixture.write('datamodels/Retail/relations/Same.relation.json', {
    columns: [
      { table: 'Customers', column: 'Customer Id' },
      { table: 'Stores', column: 'Store Id' },
    ],
  });
}

/** Sends a request to the instance, past the proxy, as another user does. */
async function sendAsOtherUser({ path, body }: { readonly path: string; readonly body: string }) {
  const { url, adminToken } = fixture.sandbox;
  const response = await fetch(new URL(path, url), {
    method: 'POST',
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
    body,
  });
  expect(response.ok).toBe(true);
}

test('a rollback names the items that it has not undone because the outcome of a request is unknown', async () => {
  await editWithRelation();
  // Another user creates the same relation at the same time.
  fixture.proxy.intercept(async (request) => {
    if (request.method !== 'POST') {
      return 'forward';
    }
    await sendAsOtherUser(request);
    return 'lose';
  });
  const { stderr } = await fixture.expectExit(3, 'apply', '--execute');
  fixture.proxy.intercept();
  const [, journal = ''] = /Journal: (\S+)/.exec(stderr) ?? [];
  const rolledBack = await fixture.expectExit(2, 'roll-back', journal, '--execute');
  expect(rolledBack.stderr).not.toContain('Done.');
  expect(rolledBack.stderr).toContain(
    'The change was rolled back, except for requests whose outcome is unknown. They might have created relation Customers.Customer Id – Stores.Store Id of Retail. Check that on the instance.',
  );
});

test('a relation that others have created while its creation was refused is neither changed by resume nor deleted by roll-back', async () => {
  await editWithRelation();
  fixture.proxy.intercept(async (request) => {
    if (request.method !== 'POST') {
      return 'forward';
    }
    await sendAsOtherUser(request);
    return 409;
  });
  const { stderr } = await fixture.expectExit(1, 'apply', '--execute');
  fixture.proxy.intercept();
  const [, journal = ''] = /Journal: (\S+)/.exec(stderr) ?? [];
  for (const command of ['resume', 'roll-back']) {
    const shown = await fixture.expectExit(0, command, journal);
    expect(shown.stdout).toContain(
      '    not done: create relation Customers.Customer Id – Stores.Store Id of Retail\n',
    );
  }
  takeWrites();
  const resumed = await fixture.expectExit(1, 'resume', journal, '--execute');
  expect(resumed.stderr).toContain('Someone else has created a relation on the server in the meantime.');
  expect(resumed.stderr).not.toContain('because it would overwrite changes by others');
  expect(takeWrites()).toEqual([]);
  await fixture.expectExit(0, 'roll-back', journal, '--execute');
  expect(takeWrites()).toMatchObject([{ method: 'PATCH' }]);
});

test('a stopped apply is ended only at its own address, since another address may belong to another server', async () => {
  await edit();
  const journal = await stopApplyAtWrite(4);
  takeWrites();
  const { port } = new URL(fixture.proxy.url);
  for (const command of ['resume', 'roll-back', 'abandon']) {
    const { stderr } = await fixture.expectExit(
      4,
      command,
      journal,
      '--execute',
      '--url',
      `http://127.0.0.2:${port}`,
    );
    expect(stderr).toContain(
      `The change was made at another address, which might belong to another server. Use --url ${fixture.proxy.url},`,
    );
  }
  expect(takeWrites()).toEqual([]);
  await fixture.expectExit(0, 'roll-back', journal, '--execute', '--url', `http://localhost:${port}`);
});

test('a plan names the environment of a stopped apply, even if that is another one, with another tenant', async () => {
  await fixture.addEnvironment('first', { role: 'production' });
  await fixture.addEnvironment('second', { role: 'production', tenant: 'acme' });
  // The lock file is one of an instance without a tenant.
  await fixture.remove('environments/second.lock.json');
  await edit();
  const options = ['--environment', 'first', '--confirm', 'first'];
  const journal = await stopApplyAtWrite(4, ...options);
  const { stderr } = await fixture.run('plan', '--environment', 'second');
  expect(stderr).toMatch(
    new RegExp(
      `roll-back ${journal} --execute --confirm first --project \\S+ --environment first --token-env`,
    ),
  );
  await fixture.expectExit(0, 'roll-back', journal, '--execute', ...project(), ...options);
});
