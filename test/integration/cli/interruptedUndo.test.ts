import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseLossless } from '../../../src/base/json.ts';
import { silentLog } from '../../../src/base/log.ts';
import { systemClock } from '../../../src/base/clock.ts';
import {
  CommandLineJournal,
  createCommandLineHistory,
} from '../../../src/changes/journal/commandLineJournal.ts';
import { History } from '../../../src/changes/journal/history.ts';
import { createTableUpdateWrite } from '../../../src/changes/model/tableWrites.ts';
import { resumeOutputSchema } from '../../../src/cli/recoveryOutputSchemas.ts';
import { findRetailTable, readTableDescription } from '../../support/demoTables.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';

const ordersPath = 'datamodels/Retail/tables/Orders.table.json';
/** No process has this ID. */
const deadPid = 2_147_483_647;
const fixture = new ProjectFixture({ profile: 'guide' });

/**
 * Applies another description of a table, and begins its undo in an editor that is killed. Returns the IDs of both.
 * @param description what the undo writes
 */
async function interruptUndo(
  description: string,
): Promise<{ readonly applied: string; readonly id: string }> {
  await fixture.changeJson(ordersPath, { description: 'From the pipeline' });
  const { stderr } = await fixture.expectExit(0, 'apply', '--execute');
  const applied = /Journal: (\S+)/.exec(stderr)?.[1] ?? '';
  const instance = { url: fixture.proxy.url, id: 'connection' };
  const journal = new CommandLineJournal(fixture.stateFolder, silentLog);
  const history = new History({
    folder: join(fixture.stateFolder, 'editor'),
    getLimits: () => ({ maxBytes: 1e6, maxAgeMs: 1e9 }),
    clock: systemClock,
    log: silentLog,
    commandLine: createCommandLineHistory(journal, () => instance),
  });
  const { table, keys } = await fixture.runAsOtherUser((client) => findRetailTable(client, 'Orders'));
  const entry = await history.begin({
    operation: {
      connectionId: 'connection',
      cause: 'undo',
      subject: { name: 'project', within: ['default'] },
      writes: [createTableUpdateWrite(keys, { description })],
    },
    before: [{ ref: { kind: 'table', ...keys }, document: parseLossless(JSON.stringify(table)) }],
    undoneEntryId: applied,
  });
  await entry.recordSending(0);
  const { id } = entry;
  const path = join(journal.locate(instance).path, `${id}.jsonl`);
  await writeFile(path, (await readFile(path, 'utf8')).replace(`"pid":${process.pid}`, `"pid":${deadPid}`));
  return { applied, id };
}

test('an interrupted undo of the editor is listed with the apply that it undoes, and can be finished', async () => {
  const { applied, id } = await interruptUndo('As before');
  const line = `undo of the apply of ${fixture.project} to default: 0 of 1 step done`;
  expect((await fixture.expectExit(0, 'resume')).stdout).toMatch(new RegExp(`^${id}  \\S+  ${line}\n$`));
  const json = await fixture.expectExit(0, 'resume', id, '--format', 'json');
  expect(resumeOutputSchema.parse(JSON.parse(json.stdout)).interrupted).toEqual([
    {
      journal: id,
      time: expect.any(String),
      undoes: applied,
      project: { folder: fixture.project, environment: 'default' },
      steps: [
        {
          endpoint: 'tables.update',
          state: 'sending',
          documents: [{ action: 'update', kind: 'table', name: 'Orders', datamodel: 'Retail' }],
        },
      ],
    },
  ]);
  await fixture.changeJson(ordersPath, { description: 'Later' });
  const refused = await fixture.expectExit(4, 'apply', '--execute');
  expect(refused.stderr).toContain('An earlier change was interrupted.');
  expect(refused.stderr).toContain(`resume ${id} --execute`);
  // Like the apply itself, its undo changes items that the lock file records.
  const finished = await fixture.expectExit(0, 'resume', id, '--execute');
  expect(finished.stderr).toContain("The project's lock file wasn't updated.");
  expect((await fixture.expectExit(0, 'resume')).stderr).toBe('No interrupted changes.\n');
  const undone = await fixture.runAsOtherUser((client) => readTableDescription(client, 'Orders'));
  expect(undone).toBe('As before');
});

test('once an undo is finished, a pull keeps the files, and a plan proposes to apply them again', async () => {
  const before = await fixture.runAsOtherUser((client) => readTableDescription(client, 'Orders'));
  const { id } = await interruptUndo(String(before));
  const project = ['--project', fixture.project] as const;
  await fixture.expectExit(0, 'resume', id, '--execute', ...project);
  expect(await fixture.runAsOtherUser((client) => readTableDescription(client, 'Orders'))).toBe(before);
  await fixture.expectExit(0, 'pull', ...project);
  expect((await fixture.readJson(ordersPath))['description']).toBe('From the pipeline');
  const { stdout } = await fixture.expectExit(2, 'plan', ...project);
  expect(stdout).toContain('~ table/Retail/Orders');
  expect(stdout).not.toContain('changed on the server');
  await fixture.expectExit(0, 'apply', '--execute', ...project);
  await fixture.expectExit(0, 'drift', ...project);
});
