import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeEndpoints } from '../src/changes/model/operation.ts';
import { commonRooms, findRoom, rooms } from './support/rooms.ts';
import { getImportClosure, productSourceFiles as files, type SourceFile } from './support/sourceFiles.ts';

/** The rules of the code base that a test can check. architecture.md, "Folders", describes each folder. */

const root = join(import.meta.dirname, '..');
const source = join(root, 'src');

/** The only files that may import each of these packages. */
const allowedImporters: Readonly<Record<string, RegExp>> = {
  undici: /^client\/undiciTransport\.ts$/,
  hono: /^sandbox\//,
  '@hono/node-server': /^sandbox\/listener\.ts$/,
  mingo: /^sandbox\//,
  'node:sqlite': /^(sandbox\/|launcher\/installLock\.ts$)/,
  'node:http': /^(sandbox\/listener|launcher\/.*)\.ts$/,
  'node:child_process':
    /^(sandbox\/host\/|launcher\/|sandbox\/engine\/processes\.ts$|cli\/changedFiles\.ts$)/,
  'sql-formatter': /^sql\//,
  papaparse: /^(security|builds|catalog\/people|sandbox\/seeds)\//,
  'jsonc-parser': /^(json\/text|documents)\//,
  'playwright-core': /^launcher\//,
  '@dagrejs/dagre': /^webviews\/diagramLayout\/computeLayout\.ts$/,
  preact: /^webviews\//,
  '@preact/signals': /^webviews\//,
  '@vscode-elements/elements': /^webviews\//,
  '@tanstack/virtual-core': /^webviews\//,
  '@vscode/test-electron': /^launcher\//,
};

test('every file is in a room, and imports only from rooms that its own room may import', () => {
  const violations = files.flatMap(({ path, imports }) => {
    const room = findRoom(path);
    const allowed = [room, ...(rooms[room] ?? [])];
    return room === ''
      ? [`${path} is in no room`]
      : imports
          .filter((target) => !allowed.includes(findRoom(target)))
          .map((target) => `${path} imports ${target}`);
  });
  expect(violations).toEqual([]);
});

test('an error has the name of its class, because logs and journals show only this name', () => {
  const pattern = /^(?:export )?class (\w+)(?:<\w+>)? extends \w*(?:Error|Failure|Problem) \{\n(.*)/gm;
  const violations = files.flatMap(({ path }) =>
    [...readFileSync(join(source, path), 'utf8').matchAll(pattern)].flatMap(([, name, firstLine = '']) =>
      new RegExp(`^  override readonly name(?:: string)? = '${name}';$`).test(firstLine)
        ? []
        : [`${path}: ${name}`],
    ),
  );
  expect(violations).toEqual([]);
});

test('a feature imports no other feature', () => {
  const getFeature = (path: string): string => path.split('/').slice(0, 2).join('/');
  const violations = files
    .filter(({ path }) => path.startsWith('features/'))
    .flatMap(({ path, imports }) =>
      imports
        .filter((target) => target.startsWith('features/') && getFeature(target) !== getFeature(path))
        .map((target) => `${path} imports ${target}`),
    );
  expect(violations).toEqual([]);
});

test('the rooms that a room may import are listed before it, and it imports each of them', () => {
  const order = Object.keys(rooms);
  const wrongDirections = order.flatMap((room, index) =>
    (rooms[room] ?? [])
      .filter((other) => order.indexOf(other) >= index)
      .map((other) => `${room} may import ${other}, which comes after it`),
  );
  expect(wrongDirections).toEqual([]);
  const used = new Set(
    files.flatMap(({ path, imports }) => imports.map((target) => `${findRoom(path)} ${findRoom(target)}`)),
  );
  const unused = order.flatMap((room) =>
    (rooms[room] ?? [])
      .filter((other) => !commonRooms.includes(other) && !used.has(`${room} ${other}`))
      .map((other) => `${room} does not import ${other}`),
  );
  expect(unused).toEqual([]);
});

test('only extension.ts, features and platform import vscode', () => {
  const violations = files
    .filter((file) => !/^(features\/|platform\/|extension\.ts$|services\.ts$)/.test(file.path))
    .filter((file) => file.packages.some(({ name }) => name === 'vscode'));
  expect(violations.map(({ path }) => path)).toEqual([]);
});

test('a package that only certain files may import is imported nowhere else', () => {
  const violations = files.flatMap((file) =>
    file.packages
      .filter(({ name }) => {
        const allowedFiles =
          allowedImporters[
            name
              .split('/')
              .slice(0, name.startsWith('@') ? 2 : 1)
              .join('/')
          ];
        return allowedFiles !== undefined && !allowedFiles.test(file.path);
      })
      .map(({ name }) => `${file.path} imports ${name}`),
  );
  expect(violations).toEqual([]);
});

/** The only rooms that may name a write endpoint. */
const roomsWithWriteEndpoints = /^(contract|client|sandbox|changes)\//;

test('write endpoints are named only in the rooms that send or serve writes', () => {
  const names = new RegExp(
    `'(${writeEndpoints.join('|').replaceAll('.', '\\.')})'|endpoint\\??\\.(ends|starts)With`,
  );
  const violations = files.filter(
    ({ path, text }) => !roomsWithWriteEndpoints.test(path) && names.test(text),
  );
  expect(violations.map(({ path }) => path)).toEqual([]);
});

test('only a few files turn desired rules into writes', () => {
  const callers = files.filter(({ text }) => /\bcreateRuleWrites\(/.test(text)).map(({ path }) => path);
  expect(callers.toSorted()).toEqual([
    // Imports, the grid, replaced parties, and copies.
    'changes/operations/ruleActions.ts',
    // Undos.
    'changes/rules/ruleReversal.ts',
    'changes/rules/ruleWrites.ts',
    // The remaining writes of an interrupted change, only for its review.
    'changes/run/remainingOperation.ts',
    // Projects.
    'project/apply/compileRules.ts',
  ]);
  // Only the code that sends the requests determines their order.
  const importers = files.filter(({ imports }) => imports.includes('changes/rules/changeRules.ts'));
  expect(importers.map(({ path }) => path).filter((path) => !/^changes\/(rules|run)\//.test(path))).toEqual(
    [],
  );
});

describe('changes to an instance', () => {
  const findPaths = (pattern: RegExp): readonly string[] =>
    files.filter(({ text }) => pattern.test(text)).map(({ path }) => path);

  test('are sent through a single path', () => {
    const areas = 'datamodels|datasets|tables|relations|extractRules|liveRules|viewpoints|customData';
    const senders = findPaths(new RegExp(`\\.(${areas})\\.(create|update|delete)\\w*\\(`));
    expect(senders.filter((path) => !/^(client|sandbox|changes\/(endpoints|run))\//.test(path))).toEqual([]);
  });

  test('are approved only by pages that show the changes, by the command line, and by code that undoes its own writes', () => {
    expect(findPaths(/\.approve\(/).toSorted()).toEqual([
      'changes/bulkRules/runChange.ts',
      'changes/run/recovery.ts',
      'features/customData/customDataPanel.ts',
      'features/plan/perform.ts',
      'features/plan/reviewUndo.ts',
    ]);
    expect(findPaths(/\bapplyChange\(/).toSorted()).toEqual([
      'cli/commands/rulesImport.ts',
      'features/bulkRules/runChange.ts',
    ]);
  });
});

test('only the provider of datamodel names, plans of changes, and projects create a model catalog', () => {
  const importers = files.filter(({ imports }) => imports.includes('catalog/modelCatalog.ts'));
  expect(importers.map(({ path }) => path)).toEqual([
    'catalog/namedDatamodels.ts',
    // Uses the names as they would be after the planned change.
    'changes/plan/loadPlannedAccess.ts',
    // Uses the names in the files of the project.
    'project/validate/projectNames.ts',
  ]);
});

test('the stable interfaces import no Node module', () => {
  const interfaceFiles = ['sql/index.ts', 'security/index.ts', 'viewpoints/index.ts'];
  const reachedFiles = getImportClosure(interfaceFiles, ({ imports }) => imports);
  const violations = files.filter(
    ({ path, packages }) => reachedFiles.has(path) && packages.some(({ name }) => name.startsWith('node:')),
  );
  expect(reachedFiles.size).toBeGreaterThan(100);
  expect(violations.map(({ path }) => path)).toEqual([]);
});

test('there are no import cycles, type imports included', () => {
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
  const countLines = (file: SourceFile): number => file.text.split('\n').length;

  test('no file is over 400 lines, and extension.ts is not over 150', () => {
    const tooLong = files.filter((file) => countLines(file) > (file.path === 'extension.ts' ? 150 : 400));
    expect(tooLong.map((file) => `${file.path}: ${countLines(file)}`)).toEqual([]);
  });

  test('the median file is under 90 lines', () => {
    const sorted = files.map(countLines).sort((a, b) => a - b);
    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThan(90);
  });
});

test('there is no mutable module state', () => {
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

test('there are no default exports, console calls or enums', () => {
  const violations = files.filter(
    (file) =>
      /^export default /m.test(file.text) ||
      /(?<![\w.])console\.\w+\(/.test(file.text) ||
      /^(export )?(const )?enum /m.test(file.text),
  );
  expect(violations.map(({ path }) => path)).toEqual([]);
});

test('server text enters messages and Markdown as plain text only', () => {
  const violations = files.flatMap(({ path, text }) => [
    ...(path !== 'platform/messages.ts' && /\.show(Error|Warning|Information)Message\(/.test(text)
      ? [path]
      : []),
    // The editor's own function turns addresses into links.
    ...(/\.appendText\(/.test(text) ? [path] : []),
  ]);
  expect(violations).toEqual([]);
});

test('features use the parsed tree of an open document and do not parse its text as JSON', () => {
  const violations = files
    .filter(({ path }) => path.startsWith('features/') || path.startsWith('platform/'))
    .filter(({ text }) => /\b(parseJson|parseJsonc|parseLossless|JSON\.parse)\(/.test(text))
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
  const declaredIds = [...contributions.matchAll(/^ {2}'(datamodelStudio\.[\w.]+)': \[/gm)].map(
    ([, id]) => id ?? '',
  );

  test('the commands match contributions.ts', () => {
    expect([...commandIds].sort()).toEqual([...declaredIds].sort());
  });

  test('every command is registered exactly once', () => {
    const registeredIds = files.flatMap(({ text }) =>
      [...text.matchAll(/register\w*(?:Command|Alias)\(\s*'([^']+)'/g)].map(([, id]) => id ?? ''),
    );
    expect(registeredIds.sort()).toEqual([...declaredIds].sort());
  });

  test('the menus contain only commands of the manifest', () => {
    const menuCommandIds = Object.values(manifest.contributes.menus as Record<string, { command?: string }[]>)
      .flat()
      .flatMap(({ command }) => (command === undefined ? [] : [command]));
    expect(menuCommandIds.filter((command) => !commandIds.includes(command))).toEqual([]);
  });

  test('the settings match contributions.ts, each with default, description and scope', () => {
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

  test('all texts of the manifest are in package.nls.json, and all texts in that file are used', () => {
    const usedKeys = [...JSON.stringify(manifest).matchAll(/%([\w.-]+)%/g)].map(([, key]) => key ?? '');
    expect([...new Set(usedKeys)].sort()).toEqual(Object.keys(texts).sort());
  });

  test('the support of untrusted workspaces is declared where the editor reads it', () => {
    const { untrustedWorkspaces } = manifest.capabilities;
    expect(untrustedWorkspaces).toMatchObject({ supported: 'limited', description: expect.any(String) });
    expect(manifest.contributes.capabilities).toBeUndefined();
  });

  test('no workspace folder can set the targets of requests, their frequency, or trusted certificates', () => {
    const properties: Record<string, { scope: string }> = manifest.contributes.configuration.properties;
    const userSettings = Object.keys(properties).filter((key) => properties[key]?.scope === 'application');
    const securitySettings = Object.keys(properties).filter((key) =>
      /\.network\.|interval|url|address|token|proxy|file$/i.test(key),
    );
    expect(securitySettings.filter((key) => !userSettings.includes(key))).toEqual([]);
    expect(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations.sort()).toEqual(
      securitySettings.sort(),
    );
  });
});
