import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { silentLog } from '../../../src/base/log.ts';
import { FileCatalog } from '../../../src/platform/projects/fileCatalog.ts';
import { createTemporaryFolder } from '../../editor/support/temporaryFolder.ts';
import { FakeClock } from '../../fakes/fakeClock.ts';

describe('the names in the files of a project', () => {
  it('are requested again after each failure of their thread, after longer and longer delays', async () => {
    await using folder = await createTemporaryFolder();
    const starts = join(folder.path, 'starts.txt');
    await mkdir(join(folder.path, 'dist'));
    await writeFile(starts, '');
    // A thread that fails as soon as it is started.
    await writeFile(
      join(folder.path, 'dist', 'languageWorker.js'),
      `require('node:fs').appendFileSync(${JSON.stringify(starts)}, 'x'); process.exit(1);`,
    );
    const countStarts = async (): Promise<number> => (await readFile(starts, 'utf8')).length;
    const clock = new FakeClock();
    const extensionUri = vscode.Uri.file(folder.path);
    const catalog = new FileCatalog({ extensionUri, clock, log: silentLog }, extensionUri);
    try {
      let changeCount = 0;
      catalog.onDidChange(() => {
        changeCount += 1;
      });
      const ask = async (): Promise<void> => {
        assert.deepEqual(await catalog.getFileContext('a.table.json'), {
          key: undefined,
          datamodel: undefined,
        });
        assert.equal(await catalog.getDatamodel('Retail'), undefined);
        await assert.rejects(catalog.query('getFindings', 'a.table.json'));
      };
      await ask();
      assert.equal(await countStarts(), 1);
      await ask();
      assert.deepEqual([await countStarts(), changeCount], [1, 0]);
      await clock.advance(1000);
      assert.equal(changeCount, 1);
      await ask();
      await ask();
      assert.equal(await countStarts(), 2);
      await clock.advance(1000);
      await ask();
      assert.deepEqual([await countStarts(), changeCount], [2, 1]);
      await clock.advance(1000);
      await ask();
      assert.deepEqual([await countStarts(), changeCount], [3, 2]);
    } finally {
      catalog.dispose();
    }
  });
});
