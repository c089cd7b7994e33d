import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { startRecordingProxy } from '../../editor/support/recordingProxy.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeStudio, startHostSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

const title = 'Search Viewpoints of Sandbox';
const viewpointsPath = '/api/v1/infusion/viewpoints';

async function openSearch(studio: HostStudio): Promise<void> {
  await studio.chooseFromContextMenu(['Sandbox', 'Viewpoints'], 'Search Viewpoints…');
  await studio.quickInput.waitForTitle(title);
}

/** Fills in one field of the search; its entry then shows the value. */
async function fillField(studio: HostStudio, field: string, value: string): Promise<void> {
  await studio.selectQuickPick(field);
  await studio.submitInputBox(value);
  await studio.quickInput.waitForRow(`${field}\n${value}`);
}

const getPlaceholder = (studio: HostStudio): string => studio.quickInput.current?.getPlaceholder() ?? '';

const waitForPlaceholder = (studio: HostStudio, text: RegExp): Promise<unknown> =>
  waitFor(
    () => text.test(getPlaceholder(studio)),
    () => `The list says ${getPlaceholder(studio)}`,
  );

describeStudio(
  'the search of viewpoints',
  async (disposables) => {
    const sandbox = disposables.use(await startHostSandbox());
    const recorder = disposables.use(await startRecordingProxy(sandbox));
    const settings = { 'datamodelStudio.documents.openAs': 'text' };
    return { sandbox, recorder, options: { env: recorder.env, settings } };
  },
  (test) => {
    test('every field of the search is sent, and invalid input is refused', async ({ studio, recorder }) => {
      await openSearch(studio);
      await studio.quickInput.waitForRow('Search\nall viewpoints');
      await fillField(studio, 'Text', 'Revenue');
      await fillField(studio, 'Name', 'by');
      await fillField(studio, 'Datamodel', 'Retail');
      await studio.selectQuickPick('Changed after');
      await studio.submitInputBox('yesterday');
      await studio.quickInput.waitForMessage(/^Invalid time\. Examples: 2025-12-31/);
      await studio.submitInputBox('2020-01-31');
      await studio.selectQuickPick('Details as JSON');
      await studio.submitInputBox('{"columns":');
      await studio.quickInput.waitForMessage('Invalid JSON.');
      await studio.submitInputBox('[]');
      await studio.quickInput.waitForMessage('Enter a JSON object.');
      await studio.submitInputBox('{"columns":[{"agg":"sum"}]}');
      await studio.selectQuickPick('Published');
      await studio.selectQuickPick('Published');
      await studio.quickInput.waitForRow('Published\nyes');
      // Back, or Escape, leaves a field as it is.
      await studio.selectQuickPick('Description');
      await studio.quickInput.waitForMessage('Description: part of the description, case-sensitive');
      await studio.quickInput.fill('abandoned');
      await studio.quickInput.pressBack();
      await studio.selectQuickPick('Published');
      await studio.quickInput.waitForMessage('Published');
      await studio.quickInput.pressBack();
      await studio.quickInput.waitForRow('Published\nyes');
      await studio.quickInput.waitForRow('Description\npart of the description');

      recorder.takeRequests();
      await studio.selectQuickPick('Search');
      await studio.quickInput.waitForRow(/^Revenue by/);
      const searchRequest = recorder.takeRequests().find((line) => line.includes('search='));
      const url = new URL(searchRequest?.replace('GET ', '') ?? '', recorder.url);
      const search = JSON.parse(url.searchParams.get('search') ?? '');
      assert.deepEqual(search, {
        text: 'Revenue',
        name: 'by',
        lastUpdate: { after: new Date('2020-01-31T00:00').toISOString() },
        visibility: { enabled: true },
        details: { datasource: { title: 'Retail' }, columns: [{ agg: 'sum' }] },
      });
      // Back keeps the typed text.
      await studio.quickInput.pressBack();
      await studio.quickInput.waitForRow('Text\nRevenue');
    });

    test('a typed text is searched for without a form, and a result can be opened or revealed', async ({
      studio,
    }) => {
      await openSearch(studio);
      await studio.quickInput.pickTyped('Revenue by', 'Search for "Revenue by"');
      await studio.quickInput.waitForRow(/^Revenue by Region/);
      await waitForPlaceholder(studio, /^\d+ of \d+ shown; type to narrow$/);
      await studio.selectQuickPick('Revenue by Region');
      await studio.waitForEditor('Revenue by Region.viewpoint.json');
      assert.equal(studio.quickInput.current, undefined);

      await studio.openExplorer();
      await studio.runCommand('Datamodel Studio: Search Viewpoints…');
      await studio.quickInput.waitForTitle(title);
      await studio.quickInput.pickTyped('Revenue by Region', 'Search for "Revenue by Region"');
      await studio.quickInput.waitForRow(/^Revenue by Region/);
      await studio.quickInput.pressItemButton('Revenue by Region');
      await waitFor(
        () =>
          studio.tree
            .getView('datamodelStudio.explorer')
            .selection.some((element) => Reflect.get(Object(element), 'name') === 'Revenue by Region'),
        () => 'The viewpoint is not selected',
      );
    });

    test('more results appear where "Load more" was accepted, not at the top', async ({ studio }) => {
      await openSearch(studio);
      await studio.selectQuickPick('Search');
      await waitForPlaceholder(studio, /^100 of \d+ shown/);
      await waitFor(
        async () => {
          // Until the editor has drawn the list, it has no last entry.
          await vscode.commands.executeCommand('quickInput.last');
          return studio.quickInput.current?.getActiveItems()[0]?.label === 'Load more';
        },
        () => 'Load more is not active',
      );
      await studio.quickInput.accept();
      await waitForPlaceholder(studio, /^(?!100 )\d+ of \d+ shown/);
      const prompt = studio.quickInput.current;
      await waitFor(
        () => prompt?.getItems().indexOf(prompt.getActiveItems()[0] ?? { label: '' }) === 100,
        () =>
          `Active is ${prompt
            ?.getActiveItems()
            .map(({ label }) => label)
            .join()}`,
      );
      assert.ok(!(await studio.quickInput.getLabels()).includes('Load more'));
    });

    test('a search without results says so, and a failed search is repeated on request', async ({
      studio,
      recorder,
    }) => {
      await openSearch(studio);
      await studio.quickInput.pickTyped('No such thing', 'Search for "No such thing"');
      await waitForPlaceholder(studio, /^No viewpoints found$/);
      await studio.quickInput.cancel();

      await openSearch(studio);
      recorder.getInterceptedResponse = (_method, path) =>
        path.startsWith(viewpointsPath) ? { status: 403, body: '{"title":"No"}' } : undefined;
      await studio.selectQuickPick('Search');
      const retry = await studio.quickInput.waitForRow(/^Retry/);
      assert.match(retry.description ?? '', /403/);
      assert.equal(getPlaceholder(studio), retry.description);
      recorder.getInterceptedResponse = undefined;
      await studio.selectQuickPick('Retry');
      await waitForPlaceholder(studio, /^100 of \d+ shown/);
      await studio.quickInput.cancel();
    });

    test('Escape in the form closes the search', async ({ studio, recorder }) => {
      await openSearch(studio);
      recorder.takeRequests();
      await studio.quickInput.cancel();
      assert.equal(studio.quickInput.current, undefined);
      assert.deepEqual(
        recorder.takeRequests().filter((line) => line.includes('search=')),
        [],
      );
    });
  },
);
