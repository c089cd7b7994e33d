import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { formatCommand, formatProjectCommand, formatRecoveryCommand } from '../../../src/cli/commandHint.ts';
import type { Arguments } from '../../../src/cli/command.ts';

function createArguments(values: Readonly<Record<string, string | undefined>>): Arguments {
  return {
    positionals: [],
    getValue: (name) => values[name],
    has: (name) => Object.hasOwn(values, name),
  };
}

/** Returns the arguments that a program gets from a POSIX shell. */
const runInShell = (command: string): readonly string[] =>
  execFileSync('sh', ['-c', command.replace('datamodel-studio', String.raw`printf '%s\0'`)], {
    encoding: 'utf8',
    env: { HOME: '/wrong', PATH: process.env['PATH'] ?? '' },
  })
    .split('\0')
    .slice(0, -1);

test.each([
  'plain',
  "Ann's project",
  'a "quoted" name',
  '$HOME `date` $(date)',
  String.raw`back\slash`,
  '*.json; rm -r ~ & # | < > ! {a,b}',
  '~',
  '=x',
  "''",
  'München 日本',
  '',
])('a command with the name %j can be pasted into a shell', (name) => {
  const args = createArguments({ environment: name, project: `/tmp/${name}`, 'token-stdin': undefined });
  expect(runInShell(formatCommand(['build', name], args))).toEqual([
    'build',
    name,
    '--project',
    `/tmp/${name}`,
    '--environment',
    name,
    '--token-stdin',
  ]);
});

describe('a command', () => {
  const args = createArguments({
    url: 'https://analytics.example.com:8443/a?b',
    'token-env': 'STUDIO_TOKEN',
    state: 'my state',
    execute: undefined,
    confirm: 'prod 1',
    prune: 'rules',
  });
  const target = "--url 'https://analytics.example.com:8443/a?b' --token-env STUDIO_TOKEN --state 'my state'";

  test('repeats only the options that select what it works with', () => {
    expect(formatCommand(['pull'], args)).toBe(`datamodel-studio pull ${target}`);
  });

  test('that works with a project names its folder', () => {
    expect(formatProjectCommand(['pull'], args)).toBe(`datamodel-studio pull --project . ${target}`);
    expect(formatProjectCommand(['pull'], createArguments({ project: 'a b' }))).toBe(
      "datamodel-studio pull --project 'a b'",
    );
  });

  test('that finishes a change has the confirmation that it needs', () => {
    const options = { args, usesProject: false, confirmation: 'prod 1' };
    expect(formatRecoveryCommand('resume', '0a-1', options)).toBe(
      `datamodel-studio resume 0a-1 --execute --confirm 'prod 1' ${target}`,
    );
    expect(formatRecoveryCommand('abandon', '0a-1', options)).toBe(`datamodel-studio abandon 0a-1 ${target}`);
  });
});
