import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeEndpoints } from '../../../src/changes/model/operation.ts';
import { type EndpointId, endpoints } from '../../../src/contract/endpoints.ts';
import { documentSuffixes } from '../../../src/catalog/viewAddress.ts';
import { formEditors } from '../../../src/contributions.ts';
import { specLines } from '../../specLines.ts';
import { type EntryPoint, bodyEntryPoints, endpointEntryPoints } from '../../support/entryPoints.ts';

const root = join(import.meta.dirname, '../../..');
const pagePath = join(root, 'test/coverage.md');

interface SourceText {
  /** Path from the project root. */
  readonly path: string;
  readonly text: string;
}

const readFiles = (folder: string, suffix: string): readonly SourceText[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith(suffix))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

/** The classes of the client, separately: a file may contain several. */
const clientClasses = readFiles('src/client/resources', '.ts').flatMap(({ text }) =>
  text.split(/^export class /m),
);
const routes = readFiles('src/sandbox/routes', '.ts');
const tests = readFiles('test', '.test.ts').filter(({ path }) => !path.endsWith('contract/coverage.test.ts'));

/**
 * The test that applies and undoes the example of every endpoint that changes a document, without naming any of them.
 */
const everyWrite = 'unit/changes/journal/everyWrite.test.ts';

const findPathsContaining = (sources: readonly SourceText[], words: string): readonly string[] =>
  sources.filter(({ text }) => text.includes(words)).map(({ path }) => path);

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string }[];
    readonly views: Readonly<Record<string, readonly { readonly id: string; readonly name: string }[]>>;
  };
}

const readJson = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'));
const { contributes } = readJson('package.json') as Manifest;
const texts = readJson('package.nls.json') as Readonly<Record<string, string>>;
const translate = (title: string): string => texts[title.replaceAll('%', '')] ?? title;
const commandTitles = new Map(
  contributes.commands.map(({ command, title }) => [command, translate(title)] as const),
);
const viewNames = new Map(
  Object.values(contributes.views)
    .flat()
    .map(({ id, name }) => [id, translate(name)] as const),
);
const pages = readdirSync(join(root, 'src/webviews'));
const suffixes = new Map(Object.entries(documentSuffixes));
const forms = new Map(Object.entries(formEditors).map(([kind, id]) => [id.split('.').at(-1), kind] as const));

/** Returns the text of an entry point; `undefined` if the product does not have it. */
function formatEntryPoint(entryPoint: EntryPoint): string | undefined {
  const [kind = '', name = ''] = entryPoint.split(':');
  switch (kind) {
    case 'view': {
      const viewName = viewNames.get(`datamodelStudio.${name}`);
      return viewName && `view ${viewName}`;
    }
    case 'page':
      return pages.includes(name) ? `page \`${name}\`` : undefined;
    case 'form':
      return forms.has(name) ? `form \`${name}\`` : undefined;
    case 'document': {
      const suffix = suffixes.get(name);
      return suffix && `\`*${suffix}\``;
    }
    default: {
      const title = commandTitles.get(`datamodelStudio.${entryPoint}`);
      return title && `*${title}*`;
    }
  }
}

const formatEntryPoints = (entryPoints: readonly EntryPoint[] | 'server'): string =>
  entryPoints === 'server' ? 'set by the server' : entryPoints.map(formatEntryPoint).join('<br>');

function createRow(id: EndpointId): readonly string[] {
  const { method, path } = endpoints[id];
  const [area = '', name = ''] = id.split('.');
  const className = `${area.charAt(0).toUpperCase()}${area.slice(1)}Resource`;
  const resource = clientClasses.find((text) => text.startsWith(`${className} `)) ?? '';
  const hasClientMethod =
    new RegExp(`#send\\(\\s*'${id}'`).test(resource) && resource.includes(`async ${name}(`);
  return [
    `\`${method} ${path}\``,
    formatEntryPoints(endpointEntryPoints[id]),
    hasClientMethod ? `\`client.${id}\`` : '',
    findPathsContaining(routes, `'${id}'`)
      .map((each) => `\`${each.slice('src/sandbox/'.length)}\``)
      .join('<br>'),
    [
      ...findPathsContaining(tests, `'${id}'`).map((each) => each.slice('test/'.length)),
      ...(writeEndpoints.some((each) => each === id) ? [everyWrite] : []),
    ]
      .map((each) => `\`${each}\``)
      .join('<br>'),
  ];
}

const rows = (Object.keys(endpoints) as EndpointId[]).map(createRow);

const fieldRows = Object.entries(bodyEntryPoints).flatMap(([body, { fields }]) =>
  Object.entries(fields).map(([field, entryPoints]) => [
    body,
    `\`${field}\``,
    formatEntryPoints(entryPoints),
  ]),
);

const markdown = [
  '# Endpoints: client, sandbox, tests',
  '',
  'Generated; after a change run `UPDATE=1 vitest run contract/coverage contract/contract`.',
  '',
  '| Endpoint | Reached from | Client method | Sandbox route | Tests of it |',
  '|---|---|---|---|---|',
  ...rows.map((cells) => `| ${cells.join(' | ')} |`),
  '',
  '## Fields of requests',
  '',
  '| Body | Field | Reached from |',
  '|---|---|---|',
  ...fieldRows.map((cells) => `| ${cells.join(' | ')} |`),
  '',
].join('\n');

test('every endpoint has a client method, a sandbox route and a test', () => {
  expect(rows.filter((cells) => cells.includes('')).map(([endpoint]) => endpoint)).toEqual([]);
});

test('every place that reaches an endpoint or a field exists', () => {
  const entryPoints = [
    ...Object.values(endpointEntryPoints),
    ...Object.values(bodyEntryPoints).flatMap(({ fields }) => Object.values(fields)),
  ].flatMap((each) => (each === 'server' ? [] : each));
  expect(entryPoints.length).toBeGreaterThan(100);
  expect(entryPoints.filter((entryPoint) => formatEntryPoint(entryPoint) === undefined)).toEqual([]);
});

test('every endpoint, and every field of a request, is reached from somewhere', () => {
  expect(Object.entries(endpointEntryPoints).filter(([, entryPoints]) => entryPoints.length === 0)).toEqual(
    [],
  );
  for (const [body, { schema, fields }] of Object.entries(bodyEntryPoints)) {
    expect([body, Object.keys(fields).toSorted()]).toEqual([body, Object.keys(schema.shape).toSorted()]);
    expect([body, Object.values(fields).filter((entryPoints) => entryPoints.length === 0)]).toEqual([
      body,
      [],
    ]);
  }
});

test('test/coverage.md is up to date', () => {
  if (process.env['UPDATE'] === '1') {
    writeFileSync(pagePath, markdown);
  }
  expect(readFileSync(pagePath, 'utf8')).toBe(markdown);
});

test('a test covers every rule, limit and error line of the guide', () => {
  const testedSpecIds = new Set(
    tests.flatMap(({ text }) => [...text.matchAll(/\[spec: ([\w.-]+)\]/g)].map(([, id]) => id)),
  );
  expect(Object.keys(specLines).filter((id) => !testedSpecIds.has(id))).toEqual([]);
  expect([...testedSpecIds].filter((id) => id === undefined || !(id in specLines))).toEqual([]);
});
