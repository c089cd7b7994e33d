import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { type Log, silentLog } from '../../src/base/log.ts';
import { LazyTreeProvider } from '../../src/platform/lazyTreeProvider.ts';

describe('a view whose code is loaded late', () => {
  it('reports a failure to the editor and the log, and loads when it is requested again', async () => {
    const errors: unknown[] = [];
    const log: Log = { ...silentLog, error: (...entry) => errors.push(entry) };
    const changes = new vscode.EventEmitter<string>();
    const reportedNodes: unknown[] = [];
    let loadCount = 0;
    let isDisposed = false;
    const tree = new LazyTreeProvider<string>(async () => {
      loadCount += 1;
      if (loadCount === 1) {
        throw new Error('missing file');
      }
      return {
        onDidChangeTreeData: changes.event,
        getChildren: () => ['node'],
        getTreeItem: (label) => new vscode.TreeItem(label),
        dispose: () => {
          isDisposed = true;
        },
      };
    }, log);
    tree.onDidChangeTreeData((node) => reportedNodes.push(node));

    // The editor shows an error that it gets from a provider.
    await assert.rejects(tree.getChildren(), /missing file/);
    assert.deepEqual(errors, [['explorer', 'A view did not load', { reason: 'Error: missing file' }]]);
    assert.deepEqual(await tree.getChildren(), ['node']);
    assert.equal((await tree.getTreeItem('node')).label, 'node');
    assert.equal(loadCount, 2);
    changes.fire('node');
    assert.deepEqual(reportedNodes, ['node']);
    tree.dispose();
    assert.equal(isDisposed, true);
  });
});
