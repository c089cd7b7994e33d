import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { tmpdir } from 'node:os';
import * as vscode from 'vscode';
import type { AuditCauseView, AuditView, FromAudit } from '../../../src/webviews/protocol/audit.ts';
import { createDatamodel } from '../support/builds.ts';
import { useFaults } from '../support/faults.ts';
import type { HostedPage } from '../support/pages.ts';
import { createTestDatamodel } from '../support/testDatamodel.ts';
import { Patches } from '../support/patches.ts';
import { backUpRules, retailRulesPath } from '../support/rules.ts';
import { checkSecurity, useBaselineFile, waitForView } from '../support/securityCheck.ts';
import { describeOnSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

const post = (page: HostedPage, message: FromAudit): void => page.post(message);

const hasCause =
  (pattern: RegExp) =>
  ({ causes }: AuditView): boolean =>
    causes.some(({ title }) => pattern.test(title));

function getCause({ causes }: AuditView, pattern: RegExp): AuditCauseView {
  const cause = causes.find(({ title }) => pattern.test(title));
  assert.ok(cause, `No ${pattern} in ${causes.map(({ title }) => title).join(', ')}`);
  return cause;
}

const findProblems = (): readonly { readonly uri: vscode.Uri; readonly diagnostic: vscode.Diagnostic }[] =>
  vscode.languages
    .getDiagnostics()
    .flatMap(([uri, list]) => list.map((diagnostic) => ({ uri, diagnostic })))
    .filter(({ diagnostic }) => diagnostic.source === 'Datamodel Studio security');

const waitForProblem = (text: string) =>
  waitFor(
    () => findProblems().find(({ diagnostic }) => diagnostic.message.includes(text)),
    () =>
      findProblems()
        .map(({ diagnostic }) => diagnostic.message)
        .join('\n'),
  );

const waitForProblemCount = (count: number) =>
  waitFor(
    () => findProblems().length === count,
    () => `There are ${findProblems().length} problems, not ${count}`,
  );

const ruleOnMissingColumn = {
  table: 'Regions',
  column: 'Regionn',
  datatype: 'text',
  members: ['North'],
  allMembers: null,
  exclusionary: false,
};

/** Makes the Git extension report a user's name until the end of the block; the repository has none of its own. */
function useGitName(name: string): Disposable {
  const patches = new Patches();
  const repository = {
    getConfig: () => Promise.reject(new Error('The key does not exist')),
    getGlobalConfig: (key: string) => Promise.resolve(key === 'user.name' ? `${name}\n` : ''),
  };
  const git = { getAPI: () => ({ getRepository: () => repository }) };
  patches.replace(
    vscode.extensions,
    'getExtension',
    (getExtension) => (id: string) =>
      id === 'vscode.git' ? { activate: async () => git } : getExtension(id),
  );
  return patches;
}

describeOnSandbox('security checks', (test) => {
  test('findings are grouped by cause, and each cause is one problem, whose places can be opened', async ({
    studio,
    sandbox,
  }) => {
    await using _rules = await backUpRules(sandbox);
    const parties = ['nobody-knows', 'nobody-else'];
    await sandbox.request(
      'POST',
      retailRulesPath,
      parties.map((party) => ({ ...ruleOnMissingColumn, shares: [{ type: 'user', party }] })),
    );
    await studio.chooseFromContextMenu('Sandbox', 'Refresh');
    const page = await checkSecurity(studio);
    const view = await waitForView(page, hasCause(/Regionn/));
    const cause = getCause(view, /Regions\.Regionn doesn't exist/);
    assert.equal(cause.severity, 'error');
    assert.equal(cause.subject, 'Retail');
    assert.equal(cause.placeCount, 2);
    assert.equal(getCause(view, /User nobody-knows has no name/).placeCount, 1);
    const { uri, diagnostic } = await waitForProblem("Regions.Regionn doesn't exist (2 findings)");
    assert.equal((await vscode.workspace.openTextDocument(uri)).getText(diagnostic.range), '"Regionn"');
    assert.equal(diagnostic.relatedInformation?.length, 1);
    const codes = findProblems().map((problem) => problem.diagnostic.code);
    assert.equal(codes.filter((code) => code === 'unknown-column').length, 1);
    post(page, { type: 'open', cause: cause.key, place: 0 });
    await studio.waitForEditor(/^Regions\.Regionn/);
  });

  test('tables that no rule restricts and datamodels without rules are reported', async ({
    studio,
    sandbox,
  }) => {
    await createDatamodel(sandbox, 'No Rules Yet');
    const page = await checkSecurity(studio);
    const view = await waitForView(page, hasCause(/without rules/));
    const unrestricted = getCause(view, /Tables not restricted by any rule/);
    const [table] = unrestricted.places;
    assert.ok(table);
    const { diagnostic } = await waitForProblem('Tables not restricted by any rule');
    assert.equal(diagnostic.severity, vscode.DiagnosticSeverity.Warning);
    post(page, { type: 'open', cause: unrestricted.key, place: 0 });
    await studio.waitForEditor(new RegExp(`^${table.name}`));
    const noRules = getCause(view, /without rules/);
    assert.deepEqual(noRules.places, [{ name: 'No Rules Yet' }]);
    post(page, { type: 'open', cause: noRules.key, place: 0 });
    await studio.findPage('datamodelStudio.ruleMatrix', 'No Rules Yet');
  });

  test('tables are not reported as unrestricted while some of their columns are unknown', async ({
    studio,
    sandbox,
  }) => {
    const datamodel = await createTestDatamodel(sandbox, 'Partly Known', {
      Known: { Id: 'integer' },
      Lone: { Id: 'integer' },
    });
    const rules = '/api/elasticubes/LocalHost/Partly%20Known/datasecurity';
    const rule = { table: 'Known', column: 'Id', datatype: 'numeric', members: [], allMembers: false };
    await sandbox.request('POST', rules, [{ ...rule, shares: [{ type: 'default' }] }]);
    await studio.chooseFromContextMenu('Sandbox', 'Refresh');
    const isUnrestrictedTablesCause = ({ subject, title }: AuditCauseView): boolean =>
      subject === 'Partly Known' && title === 'Tables not restricted by any rule';
    const page = await checkSecurity(studio);
    await waitForView(page, ({ causes }) => causes.some(isUnrestrictedTablesCause));
    const [dataset] = datamodel.datasets ?? [];
    const table = dataset?.schema?.tables?.find(({ name }) => name === 'Lone');
    assert.ok(dataset && table);
    await sandbox.request(
      'PATCH',
      `/api/v2/datamodels/${datamodel.oid}/schema/datasets/${dataset.oid}/tables/${table.oid}`,
      { tupleTransformations: [{ type: 'renameColumn' }] },
    );
    post(page, { type: 'check' });
    const view = await waitForView(page, ({ problems }) => problems.length > 0);
    assert.match(
      view.problems.join(),
      /Partly Known couldn't be checked completely\. Some columns are unknown/,
    );
    assert.ok(!view.causes.some(isUnrestrictedTablesCause));
  });

  test('a cause is ignored with a reason, which a file of the workspace records, and can be shown again', async ({
    studio,
  }) => {
    await using file = useBaselineFile();
    using _git = useGitName('Anna Berg');
    const page = await checkSecurity(studio);
    const before = await waitForView(page, () => true);
    await waitForProblemCount(before.causeCount);
    const cause = getCause(before, /Tables not restricted by any rule/);
    post(page, { type: 'ignore', cause: cause.key });
    await studio.submitInputBox('Public reference data');
    const ignored = await waitForView(page, ({ acceptedCount }) => acceptedCount > 0);
    assert.equal(ignored.acceptedCount, cause.placeCount);
    assert.equal(ignored.causeCount, before.causeCount - 1);
    assert.match(ignored.baselineFile ?? '', /security-baseline\.json$/);
    const { accepted } = JSON.parse(await file.read());
    assert.equal(accepted.length, 1);
    assert.match(accepted[0].instance, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.equal(accepted[0].reason, 'Public reference data');
    assert.equal(accepted[0].places.length, cause.placeCount);
    assert.match(accepted[0].date, /^\d{4}-\d{2}-\d{2}$/);
    assert.equal(accepted[0].author, 'Anna Berg');
    await waitForProblemCount(before.causeCount - 1);
    const [entry] = ignored.accepted;
    assert.ok(entry);
    post(page, { type: 'stopIgnoring', accepted: entry.key });
    const shown = await waitForView(page, ({ acceptedCount }) => acceptedCount === 0);
    assert.equal(shown.causeCount, before.causeCount);
    assert.deepEqual(JSON.parse(await file.read()).accepted, []);
  });

  test('with a baseline, checks show only new findings, and accepted findings that no longer occur can be removed', async ({
    studio,
    sandbox,
  }) => {
    await using _rules = await backUpRules(sandbox);
    await using file = useBaselineFile();
    await sandbox.request('POST', retailRulesPath, [
      { ...ruleOnMissingColumn, shares: [{ type: 'user', party: 'nobody-knows' }] },
    ]);
    const page = await checkSecurity(studio);
    await waitForView(page, hasCause(/Regionn/));
    post(page, { type: 'acceptAll' });
    await studio.submitInputBox('Baseline');
    const accepted = await waitForView(page, ({ causeCount }) => causeCount === 0);
    assert.ok(accepted.acceptedCount > 1);
    const shares = [{ type: 'user', party: 'nobody-else' }];
    await sandbox.request('POST', retailRulesPath, [{ ...ruleOnMissingColumn, shares }]);
    post(page, { type: 'check' });
    const laterView = await waitForView(page, hasCause(/Regionn/));
    assert.deepEqual(laterView.causes.map(({ title, placeCount }) => `${title} ${placeCount}`).toSorted(), [
      "Column Regions.Regionn doesn't exist 1",
      'User nobody-else has no name on the server 1',
    ]);
    assert.equal(laterView.acceptedCount, accepted.acceptedCount);
    await _rules[Symbol.asyncDispose]();
    post(page, { type: 'check' });
    await waitForView(page, ({ resolvedCount }) => resolvedCount > 0);
    post(page, { type: 'removeResolved' });
    const cleanedView = await waitForView(page, ({ resolvedCount }) => resolvedCount === 0);
    assert.equal(cleanedView.causeCount, 0);
    assert.doesNotMatch(await file.read(), /Regionn/);
  });

  test('a broken baseline is reported, hides no findings, and is not changed', async ({ studio }) => {
    await using file = useBaselineFile();
    const broken = '{\n  "version": 1,\n  "accepted": [ oops ]\n}';
    await mkdir(dirname(file.uri.fsPath), { recursive: true });
    await writeFile(file.uri.fsPath, broken);
    const page = await checkSecurity(studio);
    const view = await waitForView(page, ({ baselineProblem }) => baselineProblem !== undefined);
    assert.match(view.baselineProblem ?? '', /line 3 of .*security-baseline\.json isn't valid JSON/);
    assert.ok(view.causeCount > 0);
    post(page, { type: 'acceptAll' });
    await studio.clickNotificationAction(/line 3 of .* isn't valid JSON/, 'Open File');
    const { document } = await studio.waitForEditorText('oops');
    assert.equal(await file.read(), broken);
    // Once the baseline is corrected and saved in the editor, the page is updated.
    await studio.replaceText('{ "version": 1, "accepted": [] }');
    post(page, { type: 'acceptAll' });
    await studio.waitForNotification(/unsaved changes/);
    await document.save();
    await waitForView(page, ({ baselineProblem }) => baselineProblem === undefined);
  });

  test('a baseline that cannot be created, because a file has the name of its folder, is reported', async ({
    studio,
  }) => {
    await using file = useBaselineFile();
    await writeFile(dirname(file.uri.fsPath), '');
    const page = await checkSecurity(studio);
    await waitForView(page, ({ baselineProblem }) => baselineProblem !== undefined);
    post(page, { type: 'acceptAll' });
    await studio.waitForNotification(/security-baseline\.json/);
  });

  test('without a workspace folder, the extension stores the accepted findings', async ({ studio }) => {
    await using file = useBaselineFile();
    using patches = new Patches();
    patches.replace(vscode.workspace, 'workspaceFolders', () => undefined);
    const page = await checkSecurity(studio);
    await waitForView(page, () => true);
    post(page, { type: 'acceptAll' });
    await studio.submitInputBox('Baseline');
    const accepted = await waitForView(page, ({ causeCount }) => causeCount === 0);
    assert.equal(accepted.baselineFile, undefined);
    await assert.rejects(file.read());
    post(page, { type: 'openBaseline' });
    await studio.waitForNotification(/No folder is open/);
    await studio.reloadWindow();
    const viewAfterReload = await waitForView(await checkSecurity(studio), () => true);
    assert.equal(viewAfterReload.acceptedCount, accepted.acceptedCount);
    assert.equal(viewAfterReload.causeCount, 0);
  });

  test('a report with all places is saved where the user wants it', async ({ studio, sandbox }) => {
    await using _rules = await backUpRules(sandbox);
    const shares = [{ type: 'user', party: 'nobody-knows' }];
    await sandbox.request('POST', retailRulesPath, [{ ...ruleOnMissingColumn, shares }]);
    const page = await checkSecurity(studio);
    await waitForView(page, hasCause(/Regionn/));
    const uri = vscode.Uri.file(join(tmpdir(), `security-${process.pid}.md`));
    await using cleanup = new AsyncDisposableStack();
    cleanup.defer(() => rm(uri.fsPath, { force: true }));
    studio.answerSaveDialog(uri);
    post(page, { type: 'report' });
    const { document } = await studio.waitForEditorText('# Security of Sandbox');
    assert.equal(document.uri.toString(), uri.toString());
    assert.match(
      document.getText(),
      /## Column Regions\.Regionn doesn't exist\n\nError, Retail, 1 finding\n/,
    );
    assert.match(document.getText(), /\n- Regions\.Regionn\n/);
    assert.match(document.getText(), /\| Regions\.Region \| no values \|/);
  });

  test('a problem is shown at the start of its document while the document cannot be read, and at its place afterward', async ({
    studio,
    sandbox,
  }) => {
    await using _file = useBaselineFile();
    const datamodel = await createTestDatamodel(sandbox, 'Not Readable', {
      Known: { Id: 'integer' },
      Lone: { Id: 'integer' },
    });
    await sandbox.request('POST', '/api/elasticubes/LocalHost/Not%20Readable/datasecurity', [
      {
        table: 'Known',
        column: 'Id',
        datatype: 'numeric',
        members: [],
        allMembers: false,
        shares: [{ type: 'default' }],
      },
    ]);
    const notReadable = await useFaults(sandbox, {
      kind: 'status',
      status: 400,
      methods: ['GET'],
      // The datamodel itself can be read, since the check finds its tables there.
      pathPrefix: `/api/v2/datamodels/${datamodel.oid}/`,
    });
    await studio.chooseFromContextMenu('Sandbox', 'Refresh');
    const page = await checkSecurity(studio);
    const view = await waitForView(page, ({ causes }) =>
      causes.some(({ subject }) => subject === 'Not Readable'),
    );
    await waitForProblemCount(view.causeCount);
    const findProblem = () =>
      findProblems().find(({ uri }) => uri.path.includes('Not Readable') && uri.path.includes('Lone'));
    assert.ok(findProblem()?.diagnostic.range.isEmpty, 'The table could not be read');
    await notReadable[Symbol.asyncDispose]();
    // Every change of the accepted findings shows the problems again.
    post(page, { type: 'ignore', cause: getCause(view, /Columns without a rule/).key });
    await studio.submitInputBox('Not in use');
    await waitFor(
      () => findProblem()?.diagnostic.range.isEmpty === false,
      () => 'The problem is still at the start of the table',
    );
  });

  test('the page lists what could not be read, and a canceled check leaves it unchanged', async ({
    studio,
    sandbox,
  }) => {
    const serverError = await useFaults(sandbox, {
      kind: 'status',
      status: 500,
      methods: ['GET'],
      pathPrefix: '/api/elasticubes/LocalHost/Retail',
    });
    const page = await checkSecurity(studio);
    const view = await waitForView(page, ({ problems }) => problems.length > 0);
    assert.match(view.problems.join('\n'), /Retail couldn't be checked completely/);
    await studio.waitForNotificationGone('Checking the security of Sandbox');
    await serverError[Symbol.asyncDispose]();
    await using _slow = await useFaults(sandbox, {
      kind: 'latency',
      ms: 1000,
      methods: ['GET'],
      pathPrefix: '/api',
    });
    post(page, { type: 'check' });
    await studio.clickNotificationAction('Checking the security of Sandbox', 'Cancel');
    await studio.waitForNotificationGone('Checking the security of Sandbox');
    const latest = await waitForView(page, () => true);
    assert.deepEqual(latest.problems, view.problems, 'The result of the canceled check is not shown');
  });
});
