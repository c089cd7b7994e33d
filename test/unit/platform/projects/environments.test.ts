import { expect, test } from 'vitest';
import type * as vscode from 'vscode';
import { chooseEnvironment } from '../../../../src/platform/projects/environments.ts';
import type { ConnectionRole } from '../../../../src/connections/connection.ts';
import type { ListedEnvironment } from '../../../../src/project/pull/findEnvironments.ts';

const folder = { toString: () => 'file:///project' } as vscode.Uri;
const createEnvironment = (name: string, role: ConnectionRole): ListedEnvironment => ({
  name,
  role,
  url: `https://${name}.example.com`,
});
const [prod, copy, dev] = [
  createEnvironment('a-prod', 'production'),
  createEnvironment('copy', 'development'),
  createEnvironment('dev', 'development'),
];

const choose = (
  environments: readonly ListedEnvironment[],
  { selected, shown }: { readonly selected?: string; readonly shown?: string } = {},
): string | undefined =>
  chooseEnvironment(
    {
      currentConnection: { value: undefined, allCurrentFirst: [] },
      projectEnvironments: { get: (project) => (project === 'file:///project' ? selected : undefined) },
    },
    folder,
    environments,
    shown,
  )?.name;

test('the first environment that is not production is shown at first', () => {
  expect(choose([prod, copy, dev])).toBe('copy');
  expect(choose([prod])).toBe('a-prod');
  expect(choose([])).toBeUndefined();
});

test('the environment that is shown stays when others are added, until another one is selected or it is deleted', () => {
  expect(choose([prod, copy, dev], { shown: 'dev' })).toBe('dev');
  expect(choose([prod, copy, dev], { shown: 'dev', selected: 'copy' })).toBe('copy');
  expect(choose([prod, copy], { shown: 'dev' })).toBe('copy');
});
