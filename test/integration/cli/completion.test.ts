import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCli } from '../../support/cliProcess.ts';

let folder = '';
let script = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'completion-'));
  for (const path of ['my project/environments', 'my project/sub folder']) {
    await mkdir(join(folder, path), { recursive: true });
  }
  for (const path of [
    'environments/prod.json',
    'environments/prod.lock.json',
    'environments/test.json',
    'a file.csv',
  ]) {
    await writeFile(join(folder, 'my project', path), '');
  }
  const { code, stdout } = await startCli(['completion', 'bash']).ended;
  expect(code).toBe(0);
  script = stdout;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Returns what bash proposes for the last of the words, as Readline splits them. */
const complete = (...words: readonly string[]): readonly string[] =>
  execFileSync(
    'bash',
    [
      '--norc',
      '-c',
      `eval "$SCRIPT"
       [[ $(complete -p datamodel-studio) == 'complete -F _datamodel_studio datamodel-studio' ]] || exit 1
       COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
       _datamodel_studio
       printf '%s\\n' "\${COMPREPLY[@]}"`,
      'bash',
      'datamodel-studio',
      ...words,
    ],
    { cwd: folder, env: { PATH: process.env['PATH'], SCRIPT: script }, encoding: 'utf8' },
  )
    .split('\n')
    .filter((line) => line !== '')
    .toSorted();

test.each<[words: readonly string[], proposals: readonly string[]]>([
  [['r'], ['resume', 'roll-back', 'rules']],
  [
    ['rules', ''],
    ['export', 'import'],
  ],
  [
    ['--url', 'x', 'rules', ''],
    ['export', 'import'],
  ],
  [['rules', 'import', '--m'], ['--mode']],
  [
    ['rules', 'import', '--mode', ''],
    ['add', 'replace-all', 'replace-columns'],
  ],
  [['rules', 'import', 'my project/a'], ['my project/a file.csv']],
  [
    ['validate', '--format', ''],
    ['github', 'json', 'junit', 'sarif', 'text'],
  ],
  [['validate', '--format', '=', 's'], ['sarif']],
  [
    ['validate', '--format', '='],
    ['github', 'json', 'junit', 'sarif', 'text'],
  ],
  [['build', '--url', 'https', ':', '//a', '--type', 'f'], ['full']],
  [['build', '--url', 'https', ':', ''], []],
  [
    ['pull', '--prune', 'tables,r'],
    ['tables,relations', 'tables,rules'],
  ],
  // Values that were typed already aren't offered again.
  [['pull', '--prune', 'tables,relations,r'], ['tables,relations,rules']],
  [['pull', '--prune', 'tables,table'], []],
  [
    ['plan', '--prune', 'columns,r'],
    ['columns,relations', 'columns,rules'],
  ],
  [['apply', '--environment', 'x', '--prune', 'col'], ['columns']],
  [['build', '--project', 'my project', '--environment', 't'], ['test']],
  [['pull', '--project', 'my project/s'], ['my project/sub folder']],
  [['pull', '--environment', ''], []],
  [
    ['pull', '--conflicts', ''],
    ['ours', 'report', 'theirs'],
  ],
  [
    ['pull', '--project', 'my project', '--environment', ''],
    ['prod', 'test'],
  ],
  [['pull', '--project', '=', 'my project', '--environment', '=', 't'], ['test']],
  [
    ['completion', ''],
    ['bash', 'fish', 'zsh'],
  ],
  [['schema', 'f'], ['file']],
  [
    ['schema', 'rules', ''],
    ['export', 'import'],
  ],
  [
    ['schema', 'file', 'd'],
    ['datamodel', 'dataset'],
  ],
  [['schema', 'plan', ''], []],
  [['--'], ['--help', '--version']],
  [['nonsense', ''], []],
])('bash completes %j', (words, proposals) => {
  expect(complete(...words)).toEqual(proposals);
});

test('an unknown shell is refused', async () => {
  const { code, stderr } = await startCli(['completion', 'csh']).ended;
  expect(code).toBe(4);
  expect(stderr).toContain('Invalid SHELL. Expected: bash, zsh, fish.');
});
