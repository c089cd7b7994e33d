import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import {
  formatCommand,
  formatProjectCommand,
  formatRecoveryCommand,
  createRecoveryArguments,
  addAbandonHint,
} from '../../../src/cli/commandHint.ts';
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

  test('that works with a project names its folder only if it would otherwise use another one, or none', () => {
    const ofUrl = createArguments({ url: 'https://a.example' });
    const ofEnvironment = createArguments({ environment: 'prod' });
    for (const command of ['pull', 'plan', 'apply']) {
      expect(formatProjectCommand([command], ofUrl)).toBe(
        `datamodel-studio ${command} --url https://a.example`,
      );
    }
    for (const command of ['pull', 'resume', 'roll-back', 'abandon']) {
      expect(formatProjectCommand([command], ofEnvironment)).toBe(
        `datamodel-studio ${command} --environment prod`,
      );
      expect(formatProjectCommand([command], createArguments({ project: 'a b' }))).toBe(
        `datamodel-studio ${command} --project 'a b'`,
      );
    }
    for (const command of ['resume', 'roll-back', 'abandon']) {
      expect(formatProjectCommand([command], ofUrl)).toBe(
        `datamodel-studio ${command} --project . --url https://a.example`,
      );
    }
  });

  test('that finishes a change has the confirmation that it needs', () => {
    const options = { args, usesProject: false, confirmation: 'prod 1' };
    expect(formatRecoveryCommand('resume', '0a-1', options)).toBe(
      `datamodel-studio resume 0a-1 --execute --confirm 'prod 1' ${target}`,
    );
    expect(formatRecoveryCommand('abandon', '0a-1', options)).toBe(`datamodel-studio abandon 0a-1 ${target}`);
  });
});

describe('the target of a command that ends a change', () => {
  const connection = { id: 'c@tenant:acme', url: 'https://127.0.0.3:8443' };
  const args = createArguments({ environment: 'acme', project: '.', 'token-stdin': undefined });
  const format = (change: {
    connectionId: string;
    environment?: string;
    address?: string;
    name?: string;
    currentOptions?: Readonly<Record<string, string | undefined>>;
  }): string =>
    formatCommand(
      [],
      createRecoveryArguments(
        {
          operation: {
            connectionId: change.connectionId,
            ...(change.environment === undefined
              ? {}
              : { project: { folder: '/work/shop', environment: change.environment } }),
          },
          environment: {
            name: change.name ?? 'default',
            role: 'development',
            address: change.address ?? connection.url,
          },
        } as never,
        { connection } as never,
        change.currentOptions === undefined ? args : createArguments(change.currentOptions),
      ),
    );

  test('is that of the current command if the change was made on the same instance', () => {
    expect(format({ connectionId: 'c@tenant:acme', environment: 'other' })).toBe(
      'datamodel-studio --project . --environment acme --token-stdin',
    );
  });

  test('has the environment of a change that was made without a tenant, or with another one', () => {
    expect(format({ connectionId: 'c', environment: 'plain' })).toBe(
      'datamodel-studio --project /work/shop --environment plain --token-stdin',
    );
    expect(format({ connectionId: 'c@tenant:b', environment: 'b' })).toBe(
      'datamodel-studio --project /work/shop --environment b --tenant b --token-stdin',
    );
  });

  test('has the environment of a change without a project, such as an import of rules', () => {
    expect(format({ connectionId: 'c', name: 'plain' })).toBe(
      'datamodel-studio --project . --environment plain --token-stdin',
    );
  });

  test('has the address of a change without an environment', () => {
    expect(format({ connectionId: 'c', environment: 'default' })).toBe(
      'datamodel-studio --project . --url https://127.0.0.3:8443 --token-stdin',
    );
    expect(
      format({
        connectionId: 'c@tenant:acme',
        address: 'https://127.0.0.2:8443',
        currentOptions: { url: connection.url, tenant: 'acme' },
      }),
    ).toBe('datamodel-studio --url https://127.0.0.2:8443 --tenant acme');
  });
});

test.each([
  [[], 'To finish the change, first restore what others have changed. Otherwise, keep'],
  [['Finish: resume'], "If that isn't possible, keep"],
  [['Finish: resume', 'Roll back: roll-back'], 'If neither is possible, keep'],
])('the command that abandons a change comes after the others: %j', (hints, introduction) => {
  const options = { args: createArguments({}), usesProject: false, confirmation: undefined };
  expect(addAbandonHint(hints, 'J', options)).toEqual([
    ...hints,
    `${introduction} what is on the instance: datamodel-studio abandon J`,
  ]);
});
