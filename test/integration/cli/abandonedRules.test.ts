import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isWrite } from '../../support/interceptingProxy.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';

// This server deletes rules one by one.
const fixture = new ProjectFixture({ profile: 'contract' });

const prune = ['--prune', 'rules'] as const;
const item = '- rules/Retail/Employees/Job Title';

/** Applies the project with an instance that refuses all writes from one on, counted from 1. Returns the journal. */
const stopAtWrite = async (writeNumber: number, ...args: readonly string[]): Promise<string> => {
  let count = 0;
  fixture.proxy.intercept((request) => {
    count += isWrite(request) ? 1 : 0;
    return isWrite(request) && count >= writeNumber ? 403 : 'forward';
  });
  const { stderr } = await fixture.expectExit(1, 'apply', ...args, '--execute');
  fixture.proxy.intercept();
  return /Journal: (\S+)/.exec(stderr)?.[1] ?? '';
};

/** Applies the project until the instance refuses a write, and abandons the apply. */
const abandonAtWrite = async (writeNumber: number, ...args: readonly string[]): Promise<void> => {
  const journal = await stopAtWrite(writeNumber, ...args);
  expect((await fixture.expectExit(2, 'plan', ...prune)).stdout).toContain(
    `${item} (changed on the server, possibly by the interrupted change)\n`,
  );
  await fixture.expectExit(0, 'abandon', journal, '--execute', '--project', fixture.project);
};

test('rules that an abandoned apply has deleted in part were not changed by others, so the next apply deletes the rest', async () => {
  await fixture.remove('datamodels/Retail/rules/Employees.Job Title.rules.json');
  await abandonAtWrite(2, ...prune);
  expect((await fixture.expectExit(2, 'plan', ...prune)).stdout).toContain(`${item}\n`);
  fixture.proxy.takeRequests();
  await fixture.expectExit(0, 'apply', ...prune, '--execute');
  expect(fixture.proxy.takeRequests().filter(isWrite)).toHaveLength(1);
});

/** Changes the first rule on the column as another user. */
const changeAsOtherUser = (): Promise<void> =>
  fixture.runAsOtherUser(async ({ extractRules }) => {
    const column = { table: 'Employees', column: 'Job Title' };
    const cube = { server: 'LocalHost', elasticube: 'Retail' };
    const [rule] = (await extractRules.listByColumn({ ...cube, ...column })).value;
    await extractRules.update(
      { ...cube, ruleId: rule?._id ?? '' },
      { ...rule, ...column, members: ['Theirs'] },
    );
  });

test('rules that the abandoned apply of another checkout had seen still count as changed by others', async () => {
  const older = `${fixture.project}-older`;
  await cp(fixture.project, older, { recursive: true });
  const readLockOfOlder = () => readFile(join(older, 'environments/default.lock.json'), 'utf8');
  const lock = await readLockOfOlder();
  await changeAsOtherUser();
  await fixture.expectExit(0, 'pull', '--project', fixture.project);
  await fixture.remove('datamodels/Retail/rules/Employees.Job Title.rules.json');
  const journal = await stopAtWrite(2, ...prune);
  await fixture.expectExit(0, 'abandon', journal, '--execute', '--project', older);
  expect(await readLockOfOlder()).toBe(lock);
  fixture.proxy.takeRequests();
  await fixture.expectExit(4, 'apply', ...prune, '--execute', '--project', older);
  expect(fixture.proxy.takeRequests().filter(isWrite)).toEqual([]);
});

test('rules that others had changed before an abandoned apply deleted a part of them are still changed by others', async () => {
  await fixture.remove('datamodels/Retail/rules/Employees.Job Title.rules.json');
  await changeAsOtherUser();
  const planPath = `${fixture.stateFolder}.plan.json`;
  await fixture.expectExit(2, 'plan', ...prune, '--out', planPath);
  await abandonAtWrite(2, planPath);
  expect((await fixture.expectExit(2, 'plan', ...prune)).stdout).toContain(
    `${item} (changed on the server)\n`,
  );
  fixture.proxy.takeRequests();
  await fixture.expectExit(4, 'apply', ...prune, '--execute');
  expect(fixture.proxy.takeRequests().filter(isWrite)).toEqual([]);
});
