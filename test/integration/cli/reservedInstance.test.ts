import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ruleTableHeading } from '../../support/cliSandboxFixture.ts';
import { readTableDescription } from '../../support/demoTables.ts';
import { type ProxyAction, isWrite } from '../../support/interceptingProxy.ts';
import type { CliExit } from '../../support/cliProcess.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';

const tables = ['Order Items', 'Orders', 'Products', 'Stores'] as const;
const fixture = new ProjectFixture({ profile: 'guide' });

const changeTables = async (): Promise<void> => {
  for (const name of tables) {
    await fixture.changeJson(`datamodels/Retail/tables/${name}.table.json`, { description: 'Mine' });
  }
};

const readDescriptions = () =>
  fixture.runAsOtherUser(async (client) => {
    const descriptions = [];
    for (const name of tables) {
      descriptions.push(await readTableDescription(client, name));
    }
    return descriptions;
  });

/** Holds the write with this number, counted from 1; resolves when it has arrived. */
const holdWrite = (number: number): Promise<void> =>
  new Promise((resolve) => {
    let count = 0;
    fixture.proxy.intercept((request) => {
      count += isWrite(request) ? 1 : 0;
      return isWrite(request) && count === number ? 'hold' : 'forward';
    }, resolve);
  });

/** Kills an apply at its third write. Returns the ID of its journal. */
async function killApply(): Promise<string> {
  const held = holdWrite(3);
  const run = fixture.start('apply', '--execute');
  await held;
  const [, journal = ''] = await run.waitForMessage(/Journal: (\S+)/);
  run.kill('SIGKILL');
  await run.ended;
  fixture.proxy.intercept();
  return journal;
}

test.each(['resume', 'roll-back'])('an apply is refused while another process runs %s', async (command) => {
  const before = await readDescriptions();
  await changeTables();
  const journal = await killApply();
  const held = holdWrite(1);
  const recovery = fixture.start(command, journal, '--execute', '--project', fixture.project);
  await held;
  fixture.proxy.intercept();
  fixture.proxy.takeRequests();
  const apply = await fixture.expectExit(4, 'apply', '--execute');
  expect(apply.stderr).toContain('Another process is changing the instance.');
  expect(fixture.proxy.takeRequests().filter(isWrite)).toEqual([]);
  recovery.kill('SIGKILL');
  await recovery.ended;
  // The reservation of a killed process is replaced.
  await fixture.expectExit(0, command, journal, '--execute');
  expect(await readDescriptions()).toEqual(command === 'resume' ? tables.map(() => 'Mine') : before);
});

test.each(['resume', 'roll-back', 'abandon'])('%s is refused while an apply is running', async (command) => {
  await changeTables();
  fixture.proxy.intercept((request) => (isWrite(request) ? 500 : 'forward'));
  const { stderr } = await fixture.run('apply', '--execute');
  const [, stopped = ''] = /Journal: (\S+)/.exec(stderr) ?? [];
  const held = holdWrite(1);
  const apply = fixture.start('apply', '--execute');
  await held;
  fixture.proxy.intercept();
  fixture.proxy.takeRequests();
  const refused = await fixture.expectExit(4, command, stopped, '--execute');
  expect(refused.stderr).toContain('Another process is changing the instance.');
  expect(fixture.proxy.takeRequests().filter(isWrite)).toEqual([]);
  apply.kill('SIGKILL');
  await apply.ended;
});

test('a change for one tenant prevents changes for other tenants, and is ended only with its own tenant', async () => {
  const path = join(await fixture.createFolder('tables'), 'rules.csv');
  await writeFile(path, `${ruleTableHeading}\nOrders,Channel,nothing,,default,\n`);
  await changeTables();
  const held = holdWrite(1);
  const ruleImport = fixture.start(
    'rules',
    'import',
    path,
    '--datamodel',
    'Retail',
    '--mode',
    'replace-columns',
    '--state',
    fixture.stateFolder,
    '--execute',
    '--tenant',
    'acme',
  );
  await held;
  const [, journal = ''] = await ruleImport.waitForMessage(/Journal: (\S+)/);
  fixture.proxy.intercept();
  fixture.proxy.takeRequests();
  expect((await fixture.expectExit(4, 'apply', '--execute')).stderr).toContain(
    'Another process is changing the instance.',
  );
  ruleImport.kill('SIGKILL');
  await ruleImport.ended;
  const refused = await fixture.expectExit(4, 'apply', '--execute');
  expect(refused.stderr).toContain('An earlier change was interrupted.');
  expect(refused.stderr).toMatch(new RegExp(`resume ${journal} --execute .* --tenant acme`));
  expect((await fixture.expectExit(0, 'resume')).stdout).toContain('rules of Retail, tenant acme: ');
  for (const command of ['resume', 'roll-back', 'abandon']) {
    for (const tenant of [[], ['--tenant', 'other']]) {
      const { stderr } = await fixture.expectExit(4, command, journal, ...tenant, '--execute');
      expect(stderr).toContain('The change was made with another tenant. Use --tenant acme.');
    }
  }
  expect(fixture.proxy.takeRequests().filter(isWrite)).toEqual([]);
  await fixture.expectExit(0, 'roll-back', journal, '--tenant', 'acme', '--execute');
  await fixture.expectExit(0, 'apply', '--execute');
});

test('an import of rules is refused while an apply is running, and the other way around', async () => {
  const path = join(await fixture.createFolder('tables'), 'rules.csv');
  await writeFile(path, `${ruleTableHeading}\nOrders,Channel,nothing,,default,\n`);
  const importArgs = [
    'rules',
    'import',
    path,
    '--datamodel',
    'Retail',
    '--mode',
    'replace-columns',
    '--state',
    fixture.stateFolder,
    '--execute',
  ];
  await changeTables();
  const applyHeld = holdWrite(1);
  const apply = fixture.start('apply', '--execute');
  await applyHeld;
  fixture.proxy.intercept();
  fixture.proxy.takeRequests();
  expect((await fixture.expectExit(4, ...importArgs)).stderr).toContain(
    'Another process is changing the instance.',
  );
  expect(fixture.proxy.takeRequests().filter(isWrite)).toEqual([]);
  apply.kill('SIGKILL');
  await apply.ended;

  const importHeld = holdWrite(1);
  const ruleImport = fixture.start(...importArgs);
  await importHeld;
  fixture.proxy.intercept();
  fixture.proxy.takeRequests();
  expect((await fixture.expectExit(4, 'apply', '--execute')).stderr).toContain(
    'Another process is changing the instance.',
  );
  expect(fixture.proxy.takeRequests().filter(isWrite)).toEqual([]);
  ruleImport.kill('SIGKILL');
  await ruleImport.ended;
});

describe('an apply that was killed', () => {
  /** Kills an apply, and changes what its state files say about its process. Returns the ID of its journal. */
  async function killApplyAndChangeFiles(change: (recorded: string) => string): Promise<string> {
    await changeTables();
    const journal = await killApply();
    const files = await readdir(fixture.stateFolder, { recursive: true, withFileTypes: true });
    for (const file of files.filter((each) => each.isFile())) {
      const path = join(file.parentPath, file.name);
      await writeFile(path, change(await readFile(path, 'utf8')));
    }
    return journal;
  }

  /** Expects that every command is refused that might overwrite writes of another process. */
  async function expectRefusals(journal: string, text: string | RegExp): Promise<void> {
    fixture.proxy.takeRequests();
    for (const args of [['apply'], ['resume', journal], ['roll-back', journal], ['abandon', journal]]) {
      expect((await fixture.expectExit(4, ...args, '--execute')).stderr).toMatch(text);
    }
    expect((await fixture.run('plan')).stdout).toContain('Until then, an apply is refused.');
    expect(fixture.proxy.takeRequests().filter(isWrite)).toEqual([]);
  }

  test.runIf(process.platform === 'linux')(
    'counts as interrupted even if another process now has the ID of its process',
    async () => {
      const journal = await killApplyAndChangeFiles((text) =>
        text.replace(/"pid":\d+/g, `"pid":${process.ppid}`),
      );
      expect((await fixture.expectExit(0, 'resume')).stdout).toContain(journal);
      const refused = await fixture.expectExit(4, 'apply', '--execute');
      expect(refused.stderr).toContain('An earlier change was interrupted.');
      await fixture.expectExit(0, 'resume', journal, '--execute');
      expect(await readDescriptions()).toEqual(tables.map(() => 'Mine'));
    },
  );

  test('prevents other changes while a process has the same ID, until the user says that the apply has ended', async () => {
    const before = await readDescriptions();
    // Earlier versions and some operating systems record only the ID and the computer.
    const journal = await killApplyAndChangeFiles((text) =>
      text
        .replace(/"pid":\d+/g, `"pid":${process.ppid}`)
        .replaceAll(/,"(?:namespace|machine|boot|start)":"[^"]*"/g, ''),
    );
    const listed = await fixture.expectExit(0, 'resume');
    expect(listed.stderr).toContain(`Change ${journal} is still in progress in process ${process.ppid}.`);
    expect(listed.stderr).toContain('finish or roll back the change with --take-over');
    await expectRefusals(journal, new RegExp(`[Pp]rocess ${process.ppid} .*|--take-over`));
    await fixture.expectExit(0, 'roll-back', journal, '--execute', '--take-over');
    expect(await readDescriptions()).toEqual(before);
  });

  test.each([
    ['computer', /"host":"[^"]*"/g, '"host":"ctr-a"'],
    ['container', /"namespace":"[^"]*"/g, '"namespace":"pid:[1]"'],
  ])(
    'on another %s is not finished or rolled back until the user says that it has ended',
    async (where, part, other) => {
      if (where === 'container' && process.platform !== 'linux') {
        return;
      }
      const journal = await killApplyAndChangeFiles((text) => text.replaceAll(part, other));
      const listed = await fixture.expectExit(0, 'resume');
      expect(listed.stdout).toContain(journal);
      expect(listed.stderr).toContain('was interrupted, or is still in progress in process');
      await expectRefusals(journal, /was killed: process \d+ on|delete .*reserved\.claim/);
      await fixture.expectExit(0, 'resume', journal, '--execute', '--take-over');
      expect(await readDescriptions()).toEqual(tables.map(() => 'Mine'));
      await fixture.expectExit(0, 'apply', '--execute');
    },
  );
});

test('a pull is refused while an apply verifies its result, and also after the apply if the pull has begun before it', async () => {
  const file = 'datamodels/Retail/tables/Orders.table.json';
  const rules = 'datamodels/Retail/rules/Orders.Channel.rules.json';
  await fixture.changeJson(file, { description: 'Mine' });
  await fixture.remove(rules);
  const [pullGate, verifyGate] = [createGate(), createGate()];
  let hasPulled = false;
  let hasWritten = false;
  let hasVerified = false;
  fixture.proxy.intercept(async (request): Promise<ProxyAction> => {
    hasWritten ||= isWrite(request);
    if (!request.path.includes('/viewpoints')) {
      return 'forward';
    }
    if (!hasPulled) {
      hasPulled = true;
      await pullGate.wait();
    } else if (hasWritten && !hasVerified) {
      hasVerified = true;
      await verifyGate.wait();
    }
    return 'forward';
  });
  const pull = (): Promise<CliExit> =>
    fixture.run('pull', '--project', fixture.project, '--state', fixture.stateFolder);
  const slowPull = pull();
  await pullGate.isReached;
  const apply = fixture.start('apply', '--execute', '--prune', 'rules');
  await verifyGate.isReached;
  const refused = await pull();
  expect(refused).toMatchObject({ code: 4, stdout: '' });
  expect(refused.stderr).toContain('Another process is changing the instance.');
  verifyGate.open();
  expect((await apply.ended).code).toBe(0);
  pullGate.open();
  const { code, stdout, stderr } = await slowPull;
  expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
  expect(stderr).toContain(
    'environments/default.lock.json changed while the instance was being read, for example, because of an apply. Nothing was changed. Pull again.',
  );
  fixture.proxy.intercept();
  expect(await fixture.readJson(file)).toMatchObject({ description: 'Mine' });
  await expect(fixture.read(rules)).rejects.toThrow('ENOENT');
  const later = await pull();
  expect(later.stderr).toMatch(/Files: 0 created, 0 changed, 0 deleted, \d+ unchanged\.\n$/);
});

/** Creates a gate: calls of `wait` are pending until it's opened. */
function createGate() {
  const [reached, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  return {
    isReached: reached.promise,
    open: opened.resolve,
    wait: (): Promise<void> => {
      reached.resolve();
      return opened.promise;
    },
  };
}
