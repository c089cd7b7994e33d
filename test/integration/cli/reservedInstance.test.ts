import { expect, test } from 'vitest';
import { readTableDescription } from '../../support/demoTables.ts';
import { isWrite } from '../../support/interceptingProxy.ts';
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

/** Holds the write with this number; resolves when it has arrived. */
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
  expect(apply.stderr).toContain('Another process is working on this change.');
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
  expect(refused.stderr).toContain('Another process is working on this change.');
  expect(fixture.proxy.takeRequests().filter(isWrite)).toEqual([]);
  apply.kill('SIGKILL');
  await apply.ended;
});
