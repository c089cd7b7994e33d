import assert from 'node:assert/strict';
import type { JourneySandbox } from '../../editor/support/journeySandbox.ts';
import type { FromCustomData, ToCustomData } from '../../../src/webviews/protocol/customData.ts';
import type { HostedPage } from '../support/pages.ts';
import { applyPlan } from '../support/plans.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeOnSandbox, describeStudio, startHostSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

const path = '/api/v1/custom_data';
const viewType = 'datamodelStudio.customData';
type Received<Type extends ToCustomData['type']> = Extract<ToCustomData, { type: Type }>;

/** Creates objects of an app that no other test uses. */
async function createObjects(
  sandbox: JourneySandbox,
  app: string,
  count: number,
  state = 'open',
): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    await sandbox.request('POST', path, { app, number, state });
  }
}

const findMatching = async (sandbox: JourneySandbox, filter: object): Promise<readonly object[]> =>
  (await sandbox.request(
    'GET',
    `${path}/query?query=${encodeURIComponent(JSON.stringify(filter))}`,
  )) as readonly object[];

/** The page, with messages of its protocol. */
class CustomDataTab {
  readonly #page: HostedPage;

  constructor(page: HostedPage) {
    this.#page = page;
  }

  static async open(studio: HostStudio): Promise<CustomDataTab> {
    await studio.chooseFromContextMenu(['Sandbox', 'Custom Data'], 'Open Custom Data');
    const page = await studio.findPage(viewType, 'Custom Data: Sandbox');
    const tab = new CustomDataTab(page);
    await tab.waitForMessage('objects');
    return tab;
  }

  post(message: FromCustomData): void {
    this.#page.post(message);
  }

  waitForMessage<Type extends ToCustomData['type']>(
    type: Type,
    check: (message: Received<Type>) => boolean = () => true,
  ): Promise<Received<Type>> {
    return this.#page.waitForMessage<Received<Type>>(type, check);
  }

  /** Waits for the objects of a filter and returns them. */
  async waitForObjects(filter: string, count: number): Promise<readonly object[]> {
    const { text } = await this.waitForMessage(
      'objects',
      (message) => message.filter === filter && JSON.parse(message.text).length === count,
    );
    return JSON.parse(text);
  }

  /** The number of messages of a type so far. */
  countMessages(type: ToCustomData['type']): number {
    return this.#page.messages.filter((message) => message.type === type).length;
  }
}

describeOnSandbox('custom data', (test) => {
  test('custom data is found by a filter, and opened as documents', async ({ studio, sandbox }) => {
    await createObjects(sandbox, 'found', 3);
    const tab = await CustomDataTab.open(studio);
    const all = await tab.waitForMessage('objects');
    assert.equal(all.filter, '{}');
    assert.equal((await tab.waitForMessage('title')).connection, 'Sandbox');
    tab.post({ type: 'find', filter: '{ "app": "found" }' });
    const [first] = await tab.waitForObjects('{ "app": "found" }', 3);
    assert.ok(first !== undefined && '_id' in first);

    tab.post({ type: 'open', objectId: String(first._id), name: String(first._id) });
    const { document } = await studio.waitForEditorText(/"app": "found"/);
    assert.equal(
      document.uri.path.endsWith(`${String(first._id)}.custom-data.json`),
      true,
      document.uri.path,
    );
    tab.post({ type: 'openAll' });
    const opened = await studio.waitForEditorText(/^\[/);
    assert.equal(opened.document.languageId, 'json');
    assert.deepEqual(
      JSON.parse(opened.document.getText()).map(({ app }: { app: string }) => app),
      ['found', 'found', 'found'],
    );
  });

  test('matching objects are changed after confirmation, and the change is undone', async ({
    studio,
    sandbox,
  }) => {
    await createObjects(sandbox, 'changed', 8);
    await createObjects(sandbox, 'changed', 2, 'closed');
    const filter = '{ "app": "changed", "state": "open" }';
    const tab = await CustomDataTab.open(studio);
    tab.post({ type: 'find', filter });
    await tab.waitForObjects(filter, 8);
    tab.post({ type: 'ask', action: 'change', filter, change: '{ "state": "done" }' });
    const question = await tab.waitForMessage('question');
    assert.equal(question.count, 8);
    assert.equal(question.isRepeated, false);
    assert.equal(question.sample.length, 5, 'a sample is enough to judge');
    assert.deepEqual(
      question.sample.map(({ before, after }) => [JSON.parse(before).state, JSON.parse(after ?? '{}').state]),
      Array.from({ length: 5 }, () => ['open', 'done']),
    );
    tab.post({ type: 'answer', isConfirmed: false });
    await tab.waitForMessage('cancelled');
    assert.equal((await findMatching(sandbox, { app: 'changed', state: 'open' })).length, 8);

    tab.post({ type: 'ask', action: 'change', filter, change: '{ "state": "done" }' });
    await tab.waitForMessage('question', () => tab.countMessages('question') === 2);
    tab.post({ type: 'answer', isConfirmed: true });
    assert.equal((await tab.waitForMessage('changed')).count, 8);
    await tab.waitForObjects(filter, 0);
    assert.equal((await findMatching(sandbox, { app: 'changed', state: 'done' })).length, 8);
    assert.equal((await findMatching(sandbox, { app: 'changed', state: 'closed' })).length, 2);

    tab.post({ type: 'undo' });
    await applyPlan(studio, 'Undo: ');
    assert.equal((await tab.waitForMessage('changed', ({ action }) => action === 'undo')).count, 8);
    await tab.waitForObjects(filter, 8);
    assert.equal((await findMatching(sandbox, { app: 'changed', state: 'open' })).length, 8);
  });

  test('a deletion is confirmed again if other users have changed the objects, and is undone', async ({
    studio,
    sandbox,
  }) => {
    await createObjects(sandbox, 'deleted', 10);
    const filter = '{ "app": "deleted" }';
    const tab = await CustomDataTab.open(studio);
    tab.post({ type: 'find', filter });
    await tab.waitForObjects(filter, 10);
    tab.post({ type: 'ask', action: 'delete', filter });
    const question = await tab.waitForMessage('question');
    assert.deepEqual([question.count, question.sample.every(({ after }) => after === undefined)], [10, true]);
    await createObjects(sandbox, 'deleted', 1);
    tab.post({ type: 'answer', isConfirmed: true });
    const repeatedQuestion = await tab.waitForMessage('question', ({ isRepeated }) => isRepeated);
    assert.equal(repeatedQuestion.count, 11);
    assert.equal((await findMatching(sandbox, { app: 'deleted' })).length, 11, 'nothing was deleted');
    tab.post({ type: 'answer', isConfirmed: true });
    assert.deepEqual(
      [(await tab.waitForMessage('changed')).count, (await tab.waitForMessage('changed')).action],
      [11, 'delete'],
    );
    await tab.waitForObjects(filter, 0);
    assert.equal((await findMatching(sandbox, { app: 'deleted' })).length, 0);
    tab.post({ type: 'undo' });
    await applyPlan(studio, 'Undo: ');
    await tab.waitForObjects(filter, 11);
    assert.equal((await findMatching(sandbox, { app: 'deleted' })).length, 11);
  });

  test('objects that changed while a deletion was being confirmed are searched for again after Cancel', async ({
    studio,
    sandbox,
  }) => {
    const tab = await CustomDataTab.open(studio);
    tab.post({ type: 'find', filter: '{ "app": "changing" }' });
    await tab.waitForObjects('{ "app": "changing" }', 0);
    tab.post({ type: 'ask', action: 'delete', filter: '{ "app": "changing" }' });
    await tab.waitForMessage('question');
    await createObjects(sandbox, 'changing', 2);
    await studio.chooseFromContextMenu(['Sandbox', 'Custom Data'], 'Refresh');
    tab.post({ type: 'answer', isConfirmed: false });
    await tab.waitForObjects('{ "app": "changing" }', 2);
  });

  test('a change that matches no objects changes nothing', async ({ studio }) => {
    const tab = await CustomDataTab.open(studio);
    tab.post({ type: 'ask', action: 'delete', filter: '{ "app": "nobody" }' });
    assert.equal((await tab.waitForMessage('question')).count, 0);
    tab.post({ type: 'answer', isConfirmed: true });
    await tab.waitForMessage('cancelled');
    assert.equal(tab.countMessages('changed'), 0);
    // An answer without a question, and an undo without a change, do nothing, too.
    tab.post({ type: 'answer', isConfirmed: true });
    tab.post({ type: 'undo' });
    await tab.waitForMessage('cancelled', () => tab.countMessages('cancelled') === 2);
    assert.equal(tab.countMessages('changed'), 0);
  });

  test('a filter or change that is no JSON object is refused, and the message contains it', async ({
    studio,
  }) => {
    const tab = await CustomDataTab.open(studio);
    tab.post({ type: 'find', filter: '[1]' });
    assert.equal((await tab.waitForMessage('failed')).message, 'Expected a JSON object, but found: [1]');
    tab.post({ type: 'ask', action: 'change', filter: '{}', change: '{ "a" ' });
    await tab.waitForMessage(
      'failed',
      ({ message }) => message === 'Expected a JSON object, but found: { "a" ',
    );
    assert.equal(tab.countMessages('question'), 0);
    // An empty filter matches all objects.
    tab.post({ type: 'find', filter: ' ' });
    await tab.waitForMessage('objects', ({ filter }) => filter === ' ');
  });

  test('a failed search is reported, and the next search works', async ({ studio, sandbox }) => {
    await createObjects(sandbox, 'failing', 1);
    const tab = await CustomDataTab.open(studio);
    await sandbox.request('PUT', '/sandbox/faults', {
      faults: [{ kind: 'status', status: 403, pathPrefix: `${path}/query` }],
    });
    tab.post({ type: 'find', filter: '{ "app": "failing" }' });
    assert.equal(
      (await tab.waitForMessage('failed')).message,
      "Searching the custom data failed: this user doesn't have permission (403): A fault switch of the sandbox is on. Ask an administrator for permission, or sign in with an administrator's token.",
    );
    await sandbox.request('PUT', '/sandbox/faults', { faults: [] });
    tab.post({ type: 'find', filter: '{ "app": "failing" }' });
    await tab.waitForObjects('{ "app": "failing" }', 1);
  });

  test('the failure of a search is not reported once the next search was started', async ({
    studio,
    sandbox,
  }) => {
    await createObjects(sandbox, 'typed', 1);
    const tab = await CustomDataTab.open(studio);
    // A filter that is typed only in part.
    tab.post({ type: 'find', filter: '{ "app": ' });
    tab.post({ type: 'find', filter: '{ "app": "typed" }' });
    await tab.waitForObjects('{ "app": "typed" }', 1);
    assert.equal(tab.countMessages('failed'), 0);
  });

  test('when the connection is refreshed, the objects are searched for again', async ({
    studio,
    sandbox,
  }) => {
    await createObjects(sandbox, 'before', 1);
    const tab = await CustomDataTab.open(studio);
    const before = JSON.parse((await tab.waitForMessage('objects')).text).length as number;
    await createObjects(sandbox, 'after', 1);
    await studio.chooseFromContextMenu('Sandbox', 'Refresh');
    await tab.waitForObjects('{}', before + 1);
  });

  test('a new object is added from the tab, which then shows it', async ({ studio, sandbox }) => {
    const tab = await CustomDataTab.open(studio);
    const before = JSON.parse((await tab.waitForMessage('objects')).text).length as number;
    tab.post({ type: 'add' });
    await studio.submitInputBox('{ "app": "added" }');
    await tab.waitForObjects('{}', before + 1);
    assert.equal((await findMatching(sandbox, { app: 'added' })).length, 1);
  });

  test('a restored tab keeps its filter, and is closed if its connection no longer exists', async ({
    studio,
    sandbox,
  }) => {
    await createObjects(sandbox, 'restored', 2);
    const tab = await CustomDataTab.open(studio);
    const { connectionId } = await tab.waitForMessage('title');
    await studio.runCommand('View: Close All Editors');
    await studio.reloadWindow();
    const filter = '{ "app": "restored" }';
    const page = await studio.pages.restore(viewType, { connectionId, filter });
    await new CustomDataTab(page).waitForObjects(filter, 2);
    assert.equal(page.title, 'Custom Data: Sandbox');
    // An incomplete filter is not searched for.
    const incompletePage = await studio.pages.restore(viewType, { connectionId, filter: '{ "app": ' });
    assert.equal((await new CustomDataTab(incompletePage).waitForMessage('objects')).filter, '{}');
    for (const state of [{ connectionId: 'gone', filter }, undefined]) {
      const closed = await studio.pages.restore(viewType, state);
      assert.equal(studio.pages.open.includes(closed), false);
    }
  });

  test('matching objects are changed and deleted by commands of the palette after confirmation', async ({
    studio,
    sandbox,
  }) => {
    await createObjects(sandbox, 'asked', 6);
    const filter = '{ "app": "asked" }';
    const changedFilter = { app: 'asked', state: 'done' };
    await studio.runCommand('Datamodel Studio: Change Matching Custom Data…');
    await studio.quickInput.waitForTitle('Change Matching Custom Data');
    await studio.quickInput.waitForMessage('Filter as a JSON object ({} matches all objects)');
    // An empty filter is refused instead of matching everything.
    await studio.quickInput.accept();
    await studio.quickInput.waitForMessage('Enter a JSON object.');
    await studio.submitInputBox(filter);
    await studio.quickInput.waitForMessage('Properties to set in each matching object, as a JSON object');
    await studio.submitInputBox('{ "state": "done" }');
    const question = await studio.messages.findQuestion();
    assert.equal(question.text, '6 objects match');
    const lines = question.detail.split('\n');
    assert.deepEqual([lines.length, lines.at(-1)], [6, 'and 1 more']);
    assert.match(lines[0] ?? '', /^\{"app":"asked","number":0,"state":"open"/);
    assert.equal((await findMatching(sandbox, changedFilter)).length, 0);
    await studio.clickDialogAction('Change');
    await waitFor(
      async () => (await findMatching(sandbox, changedFilter)).length === 6,
      () => 'The objects are not changed',
    );

    for (const answer of ['Cancel', 'Delete']) {
      await studio.runCommand('Datamodel Studio: Delete Matching Custom Data…');
      await studio.quickInput.waitForTitle('Delete Matching Custom Data');
      await studio.submitInputBox(filter);
      await studio.clickDialogAction(answer);
    }
    // A deletion has a plan to review as well.
    assert.equal((await findMatching(sandbox, { app: 'asked' })).length, 6);
    await applyPlan(studio);
    assert.deepEqual(await findMatching(sandbox, { app: 'asked' }), []);
    await studio.runCommand('Datamodel Studio: Delete Matching Custom Data…');
    await studio.submitInputBox(filter);
    await studio.waitForNotification('No custom data objects match {"app":"asked"}.');
  });

  test('the command in the palette opens the custom data of the only connection', async ({ studio }) => {
    await studio.runCommand('Datamodel Studio: Open Custom Data');
    await studio.waitForEditor('Custom Data: Sandbox');
  });
});

describeStudio(
  'custom data',
  async (disposables) => {
    const sandbox = disposables.use(await startHostSandbox({ seed: 'empty' }));
    return { options: { env: sandbox.env } };
  },
  (test) => {
    test('of an instance that has none is shown as an empty tab', async ({ studio }) => {
      const tab = await CustomDataTab.open(studio);
      assert.equal((await tab.waitForMessage('objects')).text, '[]');
    });
  },
);
