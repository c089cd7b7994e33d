import { describe, expect, test } from 'vitest';
import { parseSandboxArguments, UsageError } from '../../../src/sandbox/arguments.ts';

test('reads the documented arguments (decisions.md, "Stable interfaces")', () => {
  expect(
    parseSandboxArguments(['--port', '8123', '--data', 'd', '--seed', 'demo', '--build-delay', '500']),
  ).toEqual({
    port: 8123,
    data: 'd',
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
    [[]],
    [['--data', '']],
    [['--data']],
    [['--data', 'd', '--port', 'x']],
    [['--data', 'd', '--port', '-1']],
    [['--data', 'd', '--port', '65536']],
    [['--data', 'd', '--seed', 'huge']],
    [['--data', 'd', '--profile', 'both']],
    [['--data', 'd', '--same-shares', 'keep']],
    [['--data', 'd', '--build-delay', '1.5']],
    [['--data', 'd', '--faults', '{']],
    [['--data', 'd', '--faults', '[{"kind":"fire"}]']],
    [['--data', 'd', '--nothing']],
    [['--data', 'd', 'more']],
  ])('%j', (args) => {
    expect(() => parseSandboxArguments(args)).toThrow(UsageError);
  });
});
