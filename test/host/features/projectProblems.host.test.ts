import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { formatFile, paths, validFiles } from '../../support/projectFiles.ts';
import { type FileProject, changeFiles, createFileProject } from '../support/fileProjects.ts';
import { describeStudio } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

/** The problems of a file, as `line:column code`. */
const describeProblems = ({ project }: FileProject, path: string): readonly string[] =>
  vscode.languages
    .getDiagnostics(project.getUri(path))
    .map(
      ({ range, code }) =>
        `${range.start.line + 1}:${range.start.character + 1} ${typeof code === 'object' ? code.value : code}`,
    );

const waitForProblems = (
  files: FileProject,
  path: string,
  ...expected: readonly string[]
): Promise<unknown> =>
  waitFor(
    () => JSON.stringify(describeProblems(files, path)) === JSON.stringify(expected),
    () => `The problems of ${path} are ${describeProblems(files, path).join(', ')}`,
  );

const brokenSql = 'UPPER([Statu])\n';

const closeEditor = (): Thenable<unknown> =>
  vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');

describeStudio(
  'problems of files that are not open',
  () => Promise.resolve({ options: { settings: { 'files.autoSave': 'off' } } }),
  (test) => {
    test('are shown for the whole project, updated with its files, and removed with the project', async () => {
      await using files = await createFileProject({
        [paths.label]: brokenSql,
        'environments/prod.json': { url: 'https://analytics.example.com', role: 'prod' },
      });
      await waitForProblems(files, paths.label, '1:7 sql/unknown-column');
      await waitForProblems(files, 'environments/prod.json', '3:11 settings/invalid-file');
      const [problem] = vscode.languages.getDiagnostics(files.project.getUri(paths.label));
      assert.deepEqual([problem?.source, problem?.range.end.character], ['datamodel-sql', 13]);
      assert.deepEqual(describeProblems(files, paths.viewpoint), []);

      // An unsaved change of another file is enough.
      const table = await files.show(paths.orders);
      await files.edit(table, '"name": "Status"', '"name": "Statu"');
      await waitForProblems(files, paths.label);
      await waitForProblems(files, paths.rules, '4:15 rules/unknown-column', '19:15 rules/unknown-column');
      await closeEditor();
      await waitForProblems(files, paths.rules);
      await waitForProblems(files, paths.label, '1:7 sql/unknown-column');
      await changeFiles((edit) => edit.deleteFile(files.project.getUri(paths.label)));
      await waitForProblems(files, paths.label);
      await waitFor(
        () => /^\d+:\d+ project\/missing-sql$/.test(describeProblems(files, paths.orders).join(', ')),
        () => describeProblems(files, paths.orders).join(', '),
      );
      await changeFiles((edit) => edit.deleteFile(files.project.getUri('datamodel-studio.json')));
      await waitForProblems(files, paths.orders);
      await waitForProblems(files, 'environments/prod.json');
    });

    test('are not reported twice while a file is open, when the editor reports them as well', async () => {
      await using files = await createFileProject({
        [paths.rules]: formatFile(validFiles[paths.rules]).replace('[', '{'),
      });
      await waitForProblems(files, paths.rules, '2:3 project/syntax');
      // Unlike a document that an extension opens, this one closes together with its editor.
      await vscode.commands.executeCommand('vscode.open', files.project.getUri(paths.rules));
      await waitFor(
        () => !describeProblems(files, paths.rules).includes('2:3 project/syntax'),
        () => describeProblems(files, paths.rules).join(', '),
      );
      await closeEditor();
      await waitFor(
        () => describeProblems(files, paths.rules).includes('2:3 project/syntax'),
        () => describeProblems(files, paths.rules).join(', '),
      );
    });

    test('are also reported while an empty file is open, which the editor accepts', async () => {
      await using files = await createFileProject({ [paths.viewpoint]: '' });
      await waitForProblems(files, paths.viewpoint, '1:1 project/syntax');
      const { document } = await files.show(paths.viewpoint);
      await changeFiles((edit) => edit.insert(document.uri, new vscode.Position(0, 0), '{'));
      await waitFor(
        () => /^[^p]*:1 518$/.test(describeProblems(files, paths.viewpoint).join(', ')),
        () => describeProblems(files, paths.viewpoint).join(', '),
      );
      await changeFiles((edit) => edit.delete(document.uri, new vscode.Range(0, 0, 0, 1)));
      await waitForProblems(files, paths.viewpoint, '1:1 project/syntax');
      const settings = await files.show('datamodel-studio.json');
      await changeFiles((edit) => edit.delete(settings.document.uri, new vscode.Range(0, 0, 99, 0)));
      assert.ok(await settings.document.save());
      await waitForProblems(files, 'datamodel-studio.json', '1:1 settings/invalid-file');
    });
  },
);
