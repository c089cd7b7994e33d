import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findChromium } from '../../../src/launcher/chromium.ts';
import { createTemporaryFolder } from '../../editor/support/temporaryFolder.ts';

test('the headless shell on the PATH is preferred; the environment variable CHROMIUM overrides the search', async () => {
  await using folder = await createTemporaryFolder();
  const createExecutable = (name: string): string => {
    const file = join(folder.path, name, name);
    mkdirSync(join(folder.path, name));
    writeFileSync(file, '');
    chmodSync(file, 0o755);
    return file;
  };
  const chromium = createExecutable('chromium');
  const headlessShell = createExecutable('chromium-headless-shell');
  const path = ['chromium', 'empty', 'chromium-headless-shell'].map((name) => join(folder.path, name));
  expect(findChromium({ PATH: path.join(':') })).toBe(headlessShell);
  expect(findChromium({ PATH: path.slice(0, 2).join(':') })).toBe(chromium);
  expect(findChromium({ PATH: path.slice(1, 2).join(':') })).toBeUndefined();
  expect(findChromium({ PATH: path.join(':'), CHROMIUM: chromium })).toBe(chromium);
  expect(() => findChromium({ PATH: path.join(':'), CHROMIUM: join(folder.path, 'none') })).toThrow(
    'CHROMIUM is set to',
  );
});
