import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  asksForHelp,
  help,
  parseSandboxArguments,
  sandboxOptions,
  UsageError,
} from '../../../src/sandbox/arguments.ts';
import { faultsSchema } from '../../../src/sandbox/faults.ts';

test('the documented arguments are read (decisions.md, "Stable interfaces")', () => {
  expect(
    parseSandboxArguments(['--port', '8123', '--data', 'd', '--seed', 'demo', '--build-delay', '500']),
  ).toEqual({
    port: 8123,
    dataFolder: 'd',
    seed: 'demo',
    profile: 'guide',
    sameShares: undefined,
    buildDelayMs: 500,
    stdinLifeline: false,
    faults: [],
  });
  expect(parseSandboxArguments(['--data', 'd'])).toMatchObject({ port: 0, seed: 'empty', buildDelayMs: 0 });
  expect(
    parseSandboxArguments(['--data', 'd', '--profile', 'contract', '--same-shares', 'overwrite-new-id']),
  ).toMatchObject({ profile: 'contract', sameShares: 'overwrite-new-id' });
  expect(
    parseSandboxArguments(['--data', 'd', '--stdin-lifeline', '--faults', '[{"kind":"drop"}]']),
  ).toMatchObject({
    stdinLifeline: true,
    faults: [{ kind: 'drop' }],
  });
});

describe('rejects', () => {
  test.each([
    [['--data']],
    [['--data', 'd', '--port', '-1']],
    [['--data', 'd', '--port', '65536']],
    [['--data', 'd', '--profile', 'both']],
    [['--data', 'd', '--same-shares', 'keep']],
    [['--data', 'd', '--build-delay', '1.5']],
    [['--data', 'd', '--nothing']],
    [['--data', 'd', 'more']],
  ])('%j', (args) => {
    expect(() => parseSandboxArguments(args)).toThrow(UsageError);
  });

  test.each([
    [[], 'Missing value: --data DIR.'],
    [['--data', ''], 'Missing value: --data DIR.'],
    [['--data', 'd', '--port', 'x'], 'Invalid --port. Expected: a whole number from 0 to 65535.'],
    [['--data', 'd', '--seed', 'huge'], 'Invalid --seed. Expected: demo, empty, large.'],
    [['--data', 'd', '--faults', '{'], 'Invalid --faults. Expected: a JSON array of fault switches.'],
    [
      ['--data', 'd', '--faults', '[{"kind":"fire"}]'],
      'Invalid --faults. Expected: a JSON array of fault switches.',
    ],
  ])('%j, and says what it expects', (args, message) => {
    expect(() => parseSandboxArguments(args)).toThrow(new UsageError(message));
  });
});

describe('the help and docs/sandbox.md', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/sandbox.md'), 'utf8');

  test('describe every option', () => {
    for (const option of [...Object.keys(sandboxOptions), 'help'].map((name) => `--${name}`)) {
      expect(help).toMatch(new RegExp(`^ .*${option}\\b`, 'm'));
      expect(page).toMatch(new RegExp(`^\\| \`${option}\\b`, 'm'));
    }
  });

  test('describe every kind of fault, with its properties', () => {
    const common = ['kind', 'pathPrefix', 'methods', 'every', 'rate', 'count', 'when'];
    for (const { shape } of faultsSchema.shape.faults.element.options) {
      const row = page.split('\n').find((line) => line.startsWith(`| \`${shape.kind.value}\` |`));
      expect(row).toBeDefined();
      for (const property of Object.keys(shape)) {
        expect(common.includes(property) ? page : row).toContain(
          `\`${property}\``.replace('`when`', '"when"'),
        );
      }
    }
  });

  test.each([['--help'], ['-h']])('are asked for with %s, whatever else is given', (option) => {
    expect(asksForHelp(['--port', 'x', option])).toBe(true);
    expect(asksForHelp(['--data', 'd'])).toBe(false);
  });
});
