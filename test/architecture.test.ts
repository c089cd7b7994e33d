import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeEndpoints } from '../src/writes/operation.ts';

/** What can be checked of the house rules, is checked here. README, "Layout" tells what each folder is for. */

const root = join(import.meta.dirname, '..');
const source = join(root, 'src');

interface SourceFile {
  /** Path from `src`, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly folder: string;
  /** Paths from `src` of our own modules that it imports, type imports included. */
  readonly imports: readonly string[];
  readonly packages: readonly { readonly name: string; readonly typeOnly: boolean }[];
}

const importPattern =
  /(?:^|\n)\s*(import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'([^']+)'|import\(\s*'([^']+)'\s*\)/g;

function readSource(path: string): SourceFile {
  const text = readFileSync(join(source, path), 'utf8');
  const imports: string[] = [];
  const packages: { name: string; typeOnly: boolean }[] = [];
  for (const match of text.matchAll(importPattern)) {
    const target = match[3] ?? match[4] ?? '';
    if (target.startsWith('.')) {
      imports.push(relative(source, join(source, path, '..', target)).replaceAll('\\', '/'));
    } else {
      packages.push({ name: target, typeOnly: match[2] !== undefined });
    }
  }
  return { path, text, folder: folderOf(path), imports, packages };
}

/** The room that a file is in: a folder of `src`, one below `features`, or the file itself at the top. */
function folderOf(path: string): string {
  const [first = '', second = ''] = path.split('/');
  return first === 'features' ? `features/${second}` : first;
}

const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts') || path.endsWith('.tsx'))
  .map(readSource);

/**
 * Which rooms, or single files of one, a room may import from besides itself. A room that is not named here fails the
 * test.
 */
const core = ['base', 'contract', 'secrets'];
const mayImport: Readonly<Record<string, readonly string[]>> = {
  base: [],
  contract: ['base', 'secrets'],
  api: core,
  catalog: core,
  // What a secret is, and how it is masked.
  secrets: ['base'],
  // Who is on an instance and in which groups.
  people: core,
  builds: [...core, 'storage'],
  sql: ['base', 'jsonText'],
  connections: [
    ...core,
    'api',
    'catalog',
    'builds',
    'people',
    'storage',
    // Whose groups the rules show that a server lists for a user.
    'security/membership/groupsByRules.ts',
  ],
  // Reading JSON with comments, and changing it as a person would.
  jsonText: ['base'],
  security: [...core, 'jsonText', 'sql'],
  jsonLanguage: [...core, 'jsonText', 'sql', 'viewpoints', 'security'],
  viewpoints: [...core, 'jsonText', 'sql'],
  history: [
    ...core,
    'catalog',
    'changes',
    'security',
    'storage',
    'writes/operation.ts',
    'writes/madeValues.ts',
    'writes/ruleGroup.ts',
    'writes/ruleWrites.ts',
    'writes/movedRules.ts',
  ],
  impact: [
    ...core,
    'catalog',
    'changes',
    'sql',
    'security',
    'viewpoints',
    'writes/operation.ts',
    'writes/ruleWrites.ts',
  ],
  // The one policy for changing rules.
  changes: [...core, 'api', 'catalog', 'history', 'impact', 'security', 'sql', 'writes'],
  writes: [...core, 'api', 'catalog', 'changes', 'history', 'impact', 'security'],
  actions: [...core, 'catalog', 'changes', 'security', 'writes'],
  // Many rules at once: what a table of rules would change, and its way through the writer.
  bulkRules: [
    ...core,
    'api',
    'actions',
    'catalog',
    'connections',
    'people',
    'history',
    'security',
    'sql',
    'writes',
  ],
  // What the editor and the command line say alike, in the language of whoever reads it.
  words: [...core, 'api', 'bulkRules', 'changes', 'connections', 'security', 'writes'],
  // The command line: the core, and no editor.
  cli: [
    ...core,
    'api',
    'bulkRules',
    'catalog',
    'changes',
    'connections',
    'history',
    'protocol/ruleText.ts',
    'security',
    'storage',
    'words',
    'writes',
  ],
  // Its build, and its npm package.
  cliPackage: [],
  diagram: [...core, 'catalog'],
  // What a report of an issue may hold.
  report: ['base', 'connections'],
  // What a person finds custom data by, and how it is shown.
  customData: ['base'],
  // What host and webviews say to each other; read on both sides.
  protocol: [...core, 'jsonText', 'diagram'],
  webviews: [...core, 'jsonText', 'protocol', 'viewpoints', 'security', 'diagram', 'customData', 'people'],
  documents: [
    ...core,
    'jsonText',
    'api',
    'catalog',
    'changes',
    'history',
    'impact',
    'writes',
    'security',
    'viewpoints',
    'sql',
  ],
  sandbox: [...core, 'sql', 'storage'],
  // Files that their owner alone may read.
  storage: [],
  sandboxHost: ['base'],
  // Types only: what commands are handed.
  'contributions.ts': [...core, 'catalog'],
  platform: [
    ...core,
    'api',
    'catalog',
    'builds',
    'changes/rules/ruleTarget.ts',
    'connections',
    'people',
    'sandboxHost',
    'contributions.ts',
    'protocol/handshake.ts',
    'words',
  ],
  schemas: core,
  notices: [],
  readme: [],
  launcher: ['base', 'sandboxHost', 'storage'],
  'extension.ts': ['*'],
};
const features = [
  ...core,
  'api',
  'catalog',
  'builds',
  'connections',
  'people',
  'sql',
  'security',
  'viewpoints',
  'customData',
  'jsonLanguage',
  'history',
  'impact',
  'changes',
  'writes',
  'actions',
  'bulkRules',
  'words',
  'documents',
  'diagram',
  'jsonText',
  'protocol',
  'report',
  'sandboxHost',
  'storage',
  'platform',
  'contributions.ts',
];

/** What features are made from may import what features may, and so no feature. */
const allowed = (folder: string): readonly string[] | undefined =>
  folder.startsWith('features/') || folder === 'services.ts' ? features : mayImport[folder];

/** The only files that may import such a package. */
const packageHomes: Readonly<Record<string, RegExp>> = {
  undici: /^api\/undiciTransport\.ts$/,
  hono: /^sandbox\//,
  '@hono/node-server': /^sandbox\/listener\.ts$/,
  mingo: /^sandbox\//,
  'node:sqlite': /^(sandbox\/|launcher\/installLock\.ts$)/,
  'node:http': /^(sandbox\/listener|launcher\/.*)\.ts$/,
  'node:child_process': /^(sandboxHost\/|launcher\/|sandbox\/engine\/processes\.ts$)/,
  'sql-formatter': /^sql\//,
  papaparse: /^(security|builds|people|sandbox\/seeds)\//,
  'jsonc-parser': /^(jsonText|documents)\//,
  'playwright-core': /^launcher\//,
  '@dagrejs/dagre': /^diagram\/arrange\.ts$/,
  preact: /^webviews\//,
  '@preact/signals': /^webviews\//,
  '@vscode-elements/elements': /^webviews\//,
  '@tanstack/virtual-core': /^webviews\//,
  '@vscode/test-electron': /^launcher\//,
};

test('every room has its rule, and imports only what its rule allows', () => {
  const violations = files.flatMap((file) => {
    const rule = allowed(file.folder);
    if (rule === undefined) {
      return [`${file.path}: no rule for ${file.folder}`];
    }
    const isAllowed = (target: string): boolean =>
      [file.folder, ...rule].some((known) => known === '*' || known === target || known === folderOf(target));
    return file.imports
      .filter((target) => !isAllowed(target))
      .map((target) => `${file.path} imports ${target}`);
  });
  expect(violations).toEqual([]);
});

test('only extension.ts, features and platform import vscode', () => {
  const violations = files
    .filter((file) => !/^(features\/|platform\/|extension\.ts$|services\.ts$)/.test(file.path))
    .filter((file) => file.packages.some(({ name }) => name === 'vscode'));
  expect(violations.map(({ path }) => path)).toEqual([]);
});

test('a package with one home is imported nowhere else', () => {
  const violations = files.flatMap((file) =>
    file.packages
      .filter(({ name }) => {
        const home =
          packageHomes[
            name
              .split('/')
              .slice(0, name.startsWith('@') ? 2 : 1)
              .join('/')
          ];
        return home !== undefined && !home.test(file.path);
      })
      .map(({ name }) => `${file.path} imports ${name}`),
  );
  expect(violations).toEqual([]);
});

/** Where an endpoint that changes something may be named, besides the one table of words. */
const changers =
  /^(contract|api|sandbox|changes|writes|history|impact|secrets)\/|^words\/operationWords\.ts$|^connections\/doctor\/platformSteps\.ts$/;

test('what a write endpoint is and does is told in one room', () => {
  const names = new RegExp(
    `'(${writeEndpoints.join('|').replaceAll('.', '\\.')})'|endpoint\\??\\.(ends|starts)With`,
  );
  const violations = files.filter(({ path, text }) => !changers.test(path) && names.test(text));
  expect(violations.map(({ path }) => path)).toEqual([]);
});

test('the names of a datamodel come from one provider', () => {
  const makers = files.filter(({ imports }) => imports.includes('catalog/modelCatalog.ts'));
  expect(makers.map(({ path }) => path)).toEqual(['catalog/datamodelNames.ts']);
});

test('the seams that are called from outside need no node module at import', () => {
  const seams = files.filter((file) => /^(sql|security|viewpoints|contract|base)\//.test(file.path));
  const violations = seams.filter((file) => file.packages.some(({ name }) => name.startsWith('node:')));
  expect(violations.map(({ path }) => path)).toEqual([]);
});

test('no import cycle, type imports included', () => {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const state = new Map<string, 'open' | 'done'>();
  const cycles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (state.get(path) === 'done') {
      return;
    }
    if (state.get(path) === 'open') {
      cycles.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
      return;
    }
    state.set(path, 'open');
    for (const next of byPath.get(path)?.imports ?? []) {
      visit(next, [...trail, path]);
    }
    state.set(path, 'done');
  };
  for (const { path } of files) {
    visit(path, []);
  }
  expect(cycles).toEqual([]);
});

describe('sizes', () => {
  const lines = (file: SourceFile): number => file.text.split('\n').length;

  test('no file is over 400 lines, and extension.ts not over 150', () => {
    const tooLong = files.filter((file) => lines(file) > (file.path === 'extension.ts' ? 150 : 400));
    expect(tooLong.map((file) => `${file.path}: ${lines(file)}`)).toEqual([]);
  });

  test('the median file is under 120 lines', () => {
    const sorted = files.map(lines).sort((a, b) => a - b);
    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThan(120);
  });
});

test('no mutable module state', () => {
  const violations = files.flatMap((file) =>
    file.text
      .split('\n')
      .filter(
        (line) =>
          /^(export )?(let|var) /.test(line) ||
          /^(export )?const \w+ = new (Map|Set|WeakMap)(<.*>)?\(\);/.test(line),
      )
      .map((line) => `${file.path}: ${line}`),
  );
  expect(violations).toEqual([]);
});

test('no default export, no console, no enum', () => {
  const violations = files.filter(
    (file) =>
      /^export default /m.test(file.text) ||
      /(?<![\w.])console\.\w+\(/.test(file.text) ||
      /^(export )?(const )?enum /m.test(file.text),
  );
  expect(violations.map(({ path }) => path)).toEqual([]);
});

test('what a server says comes into messages and Markdown as text only', () => {
  const violations = files.flatMap(({ path, text }) => [
    ...(path !== 'platform/messages.ts' && /\.show(Error|Warning|Information)Message\(/.test(text)
      ? [path]
      : []),
    // That of the editor makes links of addresses.
    ...(/\.appendText\(/.test(text) ? [path] : []),
  ]);
  expect(violations).toEqual([]);
});

test('a feature asks for the tree of an open document, and does not read its text as JSON itself', () => {
  const violations = files
    .filter(({ path }) => path.startsWith('features/') || path.startsWith('platform/'))
    .filter(({ text }) => /\b(parseJson|readJsonText|parseLossless|JSON\.parse)\(/.test(text))
    .filter(({ text }) => /\.getText\(\)/.test(text));
  expect(violations.map(({ path }) => path)).toEqual([]);
});

describe('manifest', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const texts: Record<string, string> = JSON.parse(readFileSync(join(root, 'package.nls.json'), 'utf8'));
  const contributions = readFileSync(join(source, 'contributions.ts'), 'utf8');
  const commandIds: string[] = manifest.contributes.commands.map(
    ({ command }: { command: string }) => command,
  );
  const declared = [...contributions.matchAll(/^ {2}'(datamodelStudio\.[\w.]+)': \[/gm)].map(
    ([, id]) => id ?? '',
  );

  test('its commands are those of contributions.ts', () => {
    expect([...commandIds].sort()).toEqual([...declared].sort());
  });

  test('every command is registered exactly once', () => {
    const registered = files.flatMap(({ text }) =>
      [...text.matchAll(/registerCommand\(\s*'([^']+)'/g)].map(([, id]) => id ?? ''),
    );
    expect(registered.sort()).toEqual([...declared].sort());
  });

  test('its menus name only its commands', () => {
    const inMenus = Object.values(manifest.contributes.menus as Record<string, { command?: string }[]>)
      .flat()
      .flatMap(({ command }) => (command === undefined ? [] : [command]));
    expect(inMenus.filter((command) => !commandIds.includes(command))).toEqual([]);
  });

  test('its settings are those of contributions.ts, each with default, description and scope', () => {
    const properties: Record<string, Record<string, unknown>> = manifest.contributes.configuration.properties;
    const block = contributions.slice(contributions.indexOf('interface Settings'));
    const keys = [...block.slice(0, block.indexOf('\n}')).matchAll(/^ {2}'([\w.]+)':/gm)].map(
      ([, key]) => key,
    );
    expect(Object.keys(properties).sort()).toEqual(keys.map((key) => `datamodelStudio.${key}`).sort());
    for (const [key, property] of Object.entries(properties)) {
      expect(property, key).toMatchObject({
        scope: expect.any(String),
        markdownDescription: expect.any(String),
      });
      expect(property, key).toHaveProperty('default');
    }
  });

  test('its texts are all in package.nls.json, and none is left over', () => {
    const used = [...JSON.stringify(manifest).matchAll(/%([\w.-]+)%/g)].map(([, key]) => key ?? '');
    expect([...new Set(used)].sort()).toEqual(Object.keys(texts).sort());
  });

  test('capabilities stand where the editor looks for them', () => {
    const { untrustedWorkspaces } = manifest.capabilities;
    expect(untrustedWorkspaces).toMatchObject({ supported: 'limited', description: expect.any(String) });
    expect(manifest.contributes.capabilities).toBeUndefined();
  });

  test('no folder says where requests go, how often, or whom to believe', () => {
    const properties: Record<string, { scope: string }> = manifest.contributes.configuration.properties;
    const ofTheUser = Object.keys(properties).filter((key) => properties[key]?.scope === 'application');
    const directing = Object.keys(properties).filter((key) =>
      /\.network\.|interval|url|address|token|proxy|file$/i.test(key),
    );
    expect(directing.filter((key) => !ofTheUser.includes(key))).toEqual([]);
    expect(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations.sort()).toEqual(
      directing.sort(),
    );
  });
});
