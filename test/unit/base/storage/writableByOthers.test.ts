import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isWritableByOthers } from '../../../../src/base/storage/privateFiles.ts';

test.runIf(process.platform !== 'win32')(
  'a folder is writable by others if they may replace its files',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'datamodel-studio-writable-'));
    await using cleanup = new AsyncDisposableStack();
    cleanup.defer(() => rm(folder, { recursive: true, force: true }));
    const results: (readonly [string, boolean])[] = [];
    for (const mode of ['700', '755', '1777', '777', '770', '775', '1770', '722']) {
      await chmod(folder, Number.parseInt(mode, 8));
      results.push([mode, await isWritableByOthers(folder)]);
    }
    expect(results).toEqual([
      ['700', false],
      ['755', false],
      ['1777', false],
      ['777', true],
      ['770', true],
      ['775', true],
      ['1770', false],
      ['722', true],
    ]);
    expect(await isWritableByOthers(join(folder, 'missing'))).toBe(false);
  },
);
