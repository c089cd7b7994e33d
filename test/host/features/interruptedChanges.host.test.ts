import assert from 'node:assert/strict';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JourneySandbox } from '../../editor/support/journeySandbox.ts';
import { fetchViewpoint } from '../../editor/support/viewpointDocument.ts';
import { documentSettings, expectSaveRefused, openNewViewpoint, save } from '../support/documents.ts';
import { applyPlan } from '../support/plans.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeStudio, startHostSandbox } from '../support/suite.ts';

const customTables = ['Sandbox', 'Datamodels', 'Retail', 'Custom Tables'] as const;
/** No process has this ID. */
const deadPid = 2_147_483_647;

/** A process as a journal has it; without more than its ID in those of earlier versions. */
interface JournalProcess {
  readonly pid: number;
  readonly process?: { readonly host: string };
}

/** Returns the paths of the journals, and of what else is in their folders, oldest first. */
async function listHistoryFiles(studio: HostStudio): Promise<readonly string[]> {
  const folder = join(studio.storageFolder.fsPath, 'history');
  const names = await readdir(folder, { recursive: true });
  return names.toSorted().map((name) => join(folder, name));
}

/** Makes the last change look as if this process had not recorded its end, and reloads the window. */
async function interruptLastChange(studio: HostStudio, journalProcess: JournalProcess): Promise<void> {
  const journal = (await listHistoryFiles(studio)).findLast((path) => path.endsWith('.jsonl')) ?? '';
  const text = await readFile(journal, 'utf8');
  const [begin = '', ...lines] = text.split('\n').filter((line) => line !== '');
  const { process: _process, ...others } = JSON.parse(begin);
  const unfinished = lines.filter((line) => !line.startsWith('{"line":"end"'));
  const changed = [JSON.stringify({ ...others, ...journalProcess }), ...unfinished];
  await writeFile(journal, changed.map((line) => `\n${line}\n`).join(''));
  await studio.reloadWindow();
}

/** Creates a viewpoint, and changes its description. */
async function changeDescription(studio: HostStudio, sandbox: JourneySandbox, name: string): Promise<void> {
  const document = await openNewViewpoint(studio, sandbox, name);
  await studio.replaceText(document.getText().replace('"First"', '"Mine"'));
  await save(document);
}

describeStudio(
  'interrupted changes',
  async (disposables) => {
    const sandbox = disposables.use(await startHostSandbox());
    const getDescription = async (name: string) => (await fetchViewpoint(sandbox, name)).description;
    return { sandbox, getDescription, options: { env: sandbox.env, settings: documentSettings } };
  },
  (test) => {
    for (const [what, journalProcess, detail] of [
      [
        'may be in progress on another computer',
        { pid: 7, process: { host: 'elsewhere' } },
        'Process 7 on elsewhere might still be making the change.',
      ],
      [
        'have the process ID of another program',
        { pid: process.ppid },
        `If process ${process.ppid} is VS Code or the command line, it is still making the change.`,
      ],
    ] as const) {
      test(`that ${what} are rolled back only once the user knows that their process has ended`, async ({
        studio,
        sandbox,
        getDescription,
      }) => {
        const name = `Interrupted ${journalProcess.pid}`;
        await changeDescription(studio, sandbox, name);
        await interruptLastChange(studio, journalProcess);
        const canceled = studio.chooseFromContextMenu([`Changed ${name}`], 'Roll Back Interrupted Change');
        const question = await studio.messages.findQuestion();
        assert.equal(question.text, 'Continue only if the process that made this change has ended.');
        assert.equal(question.detail, detail);
        await studio.clickDialogAction('Cancel');
        await canceled;
        assert.equal(await getDescription(name), 'Mine');
        void studio.chooseFromContextMenu([`Changed ${name}`], 'Roll Back Interrupted Change');
        await studio.clickDialogAction('Continue');
        await studio.waitForStatusBarItem(`Undone: Changed ${name}`);
        assert.equal(await getDescription(name), 'First');
      });
    }

    test('whose process has ended are rolled back without a question, and what needs a build first is listed', async ({
      studio,
    }) => {
      await studio.chooseFromContextMenu([...customTables, 'Customer Value'], 'Delete…');
      await applyPlan(studio);
      await studio.waitForTreeItemGone([...customTables, 'Customer Value']);
      await interruptLastChange(studio, { pid: deadPid });
      void studio.chooseFromContextMenu([/^Deleted Customer Value/], 'Roll Back Interrupted Change');
      await studio.waitForStatusBarItem(/Partly undone: Deleted Customer Value/);
      await studio.waitForNotification(
        /^Not restored, because a build must create columns first: Customer Value – Customers, settings of Customer Value\.Customer Id\. Until a relation exists, /,
      );
    });

    test('a save is refused while another process has reserved the instance, and stays unsaved', async ({
      studio,
      sandbox,
      getDescription,
    }) => {
      const name = 'Reserved';
      await changeDescription(studio, sandbox, name);
      const journal = (await listHistoryFiles(studio)).findLast((path) => path.endsWith('.jsonl')) ?? '';
      const claim = join(journal, '..', 'reserved.claim');
      await writeFile(claim, String(process.ppid));
      const { document } = await studio.waitForEditorText(/"Mine"/);
      await studio.replaceText(document.getText().replace('"Mine"', '"Ours"'));
      await expectSaveRefused(document);
      await studio.waitForSaveError(/^Process \d+ might be making a change to this instance\./);
      assert.equal(await getDescription(name), 'Mine');
    });
  },
);
