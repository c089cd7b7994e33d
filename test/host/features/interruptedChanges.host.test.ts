import assert from 'node:assert/strict';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatPath } from '../../../src/contract/endpoints.ts';
import type { JourneySandbox } from '../../editor/support/journeySandbox.ts';
import { fetchViewpoint } from '../../editor/support/viewpointDocument.ts';
import { documentSettings, expectSaveRefused, openNewViewpoint, save } from '../support/documents.ts';
import {
  applyPlan,
  cancelPlan,
  confirmPlan,
  confirmRecovery,
  getSectionTexts,
  waitForPlan,
} from '../support/plans.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeStudio, startHostSandbox } from '../support/suite.ts';

const customTables = ['Sandbox', 'Datamodels', 'Retail', 'Custom Tables'] as const;
/** No process has this ID. */
const deadPid = 2_147_483_647;

/** A process as a journal records it. Journals of earlier versions have only its ID. */
interface JournalProcess {
  readonly pid: number;
  readonly process?: { readonly host: string };
}

/** Returns the paths of the journals, and of all other files in their folders, oldest first. */
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
        const canceled = studio.chooseFromContextMenu([`Changed ${name}`], 'Roll Back Interrupted Change…');
        const question = await studio.messages.findQuestion();
        assert.equal(question.text, 'Continue only if the process that made this change has ended.');
        assert.equal(question.detail, detail);
        await studio.clickDialogAction('Cancel');
        await canceled;
        assert.equal(await getDescription(name), 'Mine');
        void studio.chooseFromContextMenu([`Changed ${name}`], 'Roll Back Interrupted Change…');
        await studio.clickDialogAction('Continue');
        const { review } = await confirmRecovery(studio, 'Roll Back');
        assert.deepEqual(getSectionTexts({ type: 'plan', view: review }, 'Will be changed'), [name]);
        await studio.waitForStatusBarItem(`Rolled back: Changed ${name}`);
        assert.equal(await getDescription(name), 'First');
      });
    }

    test('whose process has ended are rolled back after a review, and the result lists what needs a build first', async ({
      studio,
    }) => {
      await studio.chooseFromContextMenu([...customTables, 'Customer Value'], 'Delete…');
      await applyPlan(studio);
      await studio.waitForTreeItemGone([...customTables, 'Customer Value']);
      await interruptLastChange(studio, { pid: deadPid });
      void studio.chooseFromContextMenu([/^Deleted Customer Value/], 'Roll Back Interrupted Change…');
      const { review, result } = await confirmRecovery(studio, 'Roll Back');
      assert.deepEqual(getSectionTexts({ type: 'plan', view: review }, 'Will be created').slice(0, 1), [
        'Customer Value',
      ]);
      assert.equal(review.sections[0]?.title, "Can't be restored");
      await studio.waitForStatusBarItem(/Partly rolled back: Deleted Customer Value/);
      assert.match(
        result.summary,
        /^Rolled back\. Not restored, because a build must create columns first: Customer Value – Customers, settings of Customer Value\.Customer Id\. Until a relation exists, /,
      );
      assert.equal(result.tone, 'warning');
      assert.deepEqual(getSectionTexts({ type: 'plan', view: result }, 'Next steps'), ['Build Retail']);
    });

    test('stay interrupted if the review of their rollback is closed, or is out of date when it is confirmed', async ({
      studio,
      sandbox,
      getDescription,
    }) => {
      const name = 'Closed';
      await changeDescription(studio, sandbox, name);
      await interruptLastChange(studio, { pid: deadPid });
      const rollBack = () =>
        studio.chooseFromContextMenu([`Changed ${name}`], 'Roll Back Interrupted Change…');
      const closed = rollBack();
      await cancelPlan(studio, (await waitForPlan(studio, `Roll Back: Changed ${name}`)).page);
      await closed;
      assert.equal(await getDescription(name), 'Mine');
      await studio.tree.waitForItemText([`Changed ${name}`], /interrupted/);
      void rollBack();
      const { page } = await waitForPlan(studio, `Roll Back: Changed ${name}`);
      const { id } = await fetchViewpoint(sandbox, name);
      await sandbox.request('PUT', formatPath('viewpoints.update', { viewpointId: id }), {
        description: 'Theirs',
      });
      const result = await confirmPlan(page);
      assert.equal(
        result.summary,
        'The instance was changed in the meantime. Nothing was written. Review the updated changes.',
      );
      assert.equal(result.alternative, 'Abandon Change…');
      assert.equal(await getDescription(name), 'Theirs');
      page.post({ type: 'followUp' });
      await cancelPlan(studio, (await waitForPlan(studio, `Roll Back: Changed ${name}`)).page);
      assert.equal(await getDescription(name), 'Theirs');
    });

    test('of which everything was written are finished at once, with a message', async ({
      studio,
      sandbox,
      getDescription,
    }) => {
      const name = 'Complete';
      await changeDescription(studio, sandbox, name);
      await interruptLastChange(studio, { pid: deadPid });
      await studio.chooseFromContextMenu([`Changed ${name}`], 'Finish Interrupted Change…');
      await studio.waitForNotification(
        `Changed ${name}: Nothing was left to write. Finished. You can undo the change in the History view.`,
      );
      assert.equal(await getDescription(name), 'Mine');
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
