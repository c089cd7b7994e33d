import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { LazyFileSystem } from '../../../src/features/documents/lazyFileSystem.ts';

describe('a file system whose code is loaded on first use', () => {
  it('is loaded again after a failure', async () => {
    let count = 0;
    const files = new LazyFileSystem(async () => {
      count += 1;
      if (count === 1) {
        throw new Error('A module is missing');
      }
      return {
        stat: async () => ({ type: vscode.FileType.File, ctime: 0, mtime: 0, size: 0 }),
        read: async () => new Uint8Array(),
        write: async () => undefined,
        list: () => [],
        dispose() {},
      };
    });
    const uri = vscode.Uri.parse('test:/file');
    await assert.rejects(files.stat(uri), /A module is missing/);
    assert.equal((await files.stat(uri)).type, vscode.FileType.File);
    files.dispose();
  });
});
