import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeEndpoints } from '../../../src/changes/model/operation.ts';
import { type EndpointId, endpoints } from '../../../src/contract/endpoints.ts';
import { specLines } from '../../specLines.ts';

const root = join(import.meta.dirname, '../../..');
const page = join(root, 'test/coverage.md');

interface SourceText {
  /** Path from the project root. */
  readonly path: string;
  readonly text: string;
}

const read = (folder: string, suffix: string): readonly SourceText[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith(suffix))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

/** The classes of the client, separately: a file may contain several. */
const resources = read('src/client/resources', '.ts').flatMap(({ text }) => text.split(/^export class /m));
const routes = read('src/sandbox/routes', '.ts');
const tests = read('test', '.test.ts').filter(({ path }) => !path.endsWith('contract/coverage.test.ts'));

/**
 * The test that applies and undoes the example of every endpoint that changes a document, without naming any of them.
 */
const everyWrite = 'unit/changes/journal/everyWrite.test.ts';

const naming = (sources: readonly SourceText[], words: string): readonly string[] =>
  sources.filter(({ text }) => text.includes(words)).map(({ path }) => path);

function row(id: EndpointId): readonly string[] {
  const { method, path } = endpoints[id];
  const [area = '', name = ''] = id.split('.');
  const className = `${area.charAt(0).toUpperCase()}${area.slice(1)}Resource`;
  const resource = resources.find((text) => text.startsWith(`${className} `)) ?? '';
  const sends = new RegExp(`#send\\(\\s*'${id}'`).test(resource) && resource.includes(`async ${name}(`);
  return [
    `\`${method} ${path}\``,
    sends ? `\`client.${id}\`` : '',
    naming(routes, `'${id}'`)
      .map((each) => `\`${each.slice('src/sandbox/'.length)}\``)
      .join('<br>'),
    [
      ...naming(tests, `'${id}'`).map((each) => each.slice('test/'.length)),
      ...(writeEndpoints.some((each) => each === id) ? [everyWrite] : []),
    ]
      .map((each) => `\`${each}\``)
      .join('<br>'),
  ];
}

const rows = (Object.keys(endpoints) as EndpointId[]).map(row);

const markdown = [
  '# Endpoints: client, sandbox, tests',
  '',
  'Generated; after a change run `UPDATE=1 vitest run contract/coverage contract/contract`.',
  '',
  '| Endpoint | Client method | Sandbox route | Tests of it |',
  '|---|---|---|---|',
  ...rows.map((cells) => `| ${cells.join(' | ')} |`),
  '',
].join('\n');

test('every endpoint has a client method, a sandbox route and a test', () => {
  expect(rows.filter((cells) => cells.includes('')).map(([endpoint]) => endpoint)).toEqual([]);
});

test('test/coverage.md is up to date', () => {
  if (process.env['UPDATE'] === '1') {
    writeFileSync(page, markdown);
  }
  expect(readFileSync(page, 'utf8')).toBe(markdown);
});

test('a test covers every rule, limit and error line of the guide', () => {
  const titles = new Set(
    tests.flatMap(({ text }) => [...text.matchAll(/\[spec: ([\w.-]+)\]/g)].map(([, id]) => id)),
  );
  expect(Object.keys(specLines).filter((id) => !titles.has(id))).toEqual([]);
  expect([...titles].filter((id) => id === undefined || !(id in specLines))).toEqual([]);
});
