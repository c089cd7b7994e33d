import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type EndpointId, endpoints, getPathTemplate } from '../../../src/contract/endpoints.ts';
import type { ProfileName } from '../../../src/sandbox/profiles/profile.ts';
import { getProfile } from '../../../src/sandbox/profiles/profiles.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/sandbox.md'), 'utf8');

/** Returns the methods of each path of a profile, as the sandbox routes them. */
function listPaths(name: ProfileName): ReadonlyMap<string, readonly string[]> {
  const { dialects, missingEndpoints } = getProfile(name).paths;
  const methods = new Map<string, Set<string>>();
  for (const id of Object.keys(endpoints) as EndpointId[]) {
    for (const dialect of missingEndpoints.includes(id) ? [] : dialects) {
      const path = getPathTemplate(id, dialect);
      methods.set(path, (methods.get(path) ?? new Set()).add(endpoints[id].method));
    }
  }
  return new Map([...methods].map(([path, names]) => [path, [...names]]));
}

const formatRow = (path: string, methods: readonly string[]): string =>
  `| \`${path}\` | ${methods.map((method) => `\`${method}\``).join(', ')} |`;

test('docs/sandbox.md lists the paths of the profile contract with their methods', () => {
  const rows = page.split('\n').filter((line) => line.startsWith('| `/'));
  expect(rows).toEqual([...listPaths('contract')].map(([path, methods]) => formatRow(path, methods)));
});

test('docs/sandbox.md says how the paths of the profile guide differ', () => {
  const [guide, contract] = [listPaths('guide'), listPaths('contract')];
  expect([...contract.keys()].filter((path) => !guide.has(path))).toEqual([
    '/api/v1/elasticubes/live/{title}/datasecurity/addMany',
  ]);
  const pathsWithSchema = [...contract.keys()].filter((path) => path.includes('/schema'));
  const pathsWithoutSchema = pathsWithSchema.map((path) => path.replace('/schema', ''));
  expect([...guide.keys()].toSorted()).toEqual(
    [...new Set([...contract.keys(), ...pathsWithoutSchema])]
      .filter((path) => !path.endsWith('/addMany'))
      .toSorted(),
  );
  expect(page).toContain('the paths of datamodels also work without `/schema`, and there is no `addMany`.');
});
