import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeRedirectPage } from '../../../src/launcher/openExternal.ts';

test('the page that redirects to the editor is accessible to its owner only, and contains the address, escaped for HTML', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'opening-'));
  using _folder = { [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
  const file = join(folder, 'open.html');
  await writeRedirectPage(file, 'http://127.0.0.1:1/x/?tkn=a&folder="<b>');
  const page = readFileSync(file, 'utf8');
  expect(page).toContain('url=http://127.0.0.1:1/x/?tkn=a&amp;folder=&quot;&lt;b>"');
  expect(page).toContain('href="http://127.0.0.1:1/x/?tkn=a&amp;folder=&quot;&lt;b>"');
  if (process.platform !== 'win32') {
    expect(statSync(file).mode & 0o777).toBe(0o600);
  }
});
