import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

/** Text for the user must go through the editor's localization, so that a language pack can translate it all. */
const root = join(import.meta.dirname, '../..');
const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => /^(features|platform|webviews|words|cli)\/.*\.tsx?$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(root, 'src', path), 'utf8') }));

/** The arguments of a call as written; `start` is the offset after its opening parenthesis. */
function parseArguments(text: string, start: number): readonly string[] {
  const found: string[] = [];
  let depth = 0;
  let from = start;
  for (let offset = start; offset < text.length; offset += 1) {
    const char = text[offset] ?? '';
    if (char === "'" || char === '"' || char === '`') {
      offset = findStringEnd(text, offset);
    } else if ('([{'.includes(char)) {
      depth += 1;
    } else if (depth > 0 && ')]}'.includes(char)) {
      depth -= 1;
    } else if (depth === 0 && (char === ',' || char === ')')) {
      const argument = text.slice(from, offset).trim();
      found.push(...(argument === '' ? [] : [argument]));
      from = offset + 1;
      if (char === ')') {
        return found;
      }
    }
  }
  throw new Error('A call is not closed');
}

function findStringEnd(text: string, start: number): number {
  let offset = start + 1;
  while (offset < text.length && text[offset] !== text[start]) {
    offset += text[offset] === '\\' ? 2 : 1;
  }
  return offset;
}

const calls = sources.flatMap(({ path, text }) =>
  [...text.matchAll(/(?<![\w.])(?:vscode\.l10n\.)?t\(/g)].map(({ index, 0: { length } }) => ({
    location: `${path}:${text.slice(0, index).split('\n').length}`,
    parts: parseArguments(text, index + length),
  })),
);

const getPlaceholders = (words: string): readonly number[] =>
  [...new Set([...words.matchAll(/\{(\d+)\}/g)].map(([, digits]) => Number(digits)))].sort((a, b) => a - b);

describe('texts in the code', () => {
  test('are found', () => expect(calls.length).toBeGreaterThan(400));

  test('are whole sentences with placeholders, never concatenated', () => {
    const concatenated = calls.filter(
      ({ parts: [words = ''] }) => words.startsWith('`') || /['"] \+/.test(words),
    );
    expect(concatenated.map(({ location }) => location)).toEqual([]);
  });

  test('have as many placeholders as values', () => {
    const wrong = calls.filter(({ parts: [words = '', ...values] }) => {
      const isLiteral = /^['"].*['"]$/s.test(words);
      const placeholders = getPlaceholders(words);
      const isComplete =
        placeholders.every((hole, index) => hole === index) && placeholders.length === values.length;
      return isLiteral && !isComplete && !values.some((value) => value.startsWith('...'));
    });
    expect(wrong.map(({ location, parts }) => `${location} ${parts.join(', ')}`)).toEqual([]);
  });

  test('are used by messages, inputs and picks', () => {
    const unlocalized = sources.flatMap(({ path, text }) =>
      [
        ...text.matchAll(
          /(?:show(?:Information|Warning|Error)(?:Message)?\(\s*|\b(?:title|placeHolder|placeholder|prompt|validationMessage|detail|description|tooltip|aria-label|ariaLabel)\s*[:=]\s*)(['"`][A-Z][a-z]+ [^'"`]*)/g,
        ),
      ].map(([, words]) => `${path}: ${words}`),
    );
    expect(unlocalized).toEqual([]);
  });

  test('are used by pages between their tags', () => {
    const unlocalized = sources
      .filter(({ path }) => path.endsWith('.tsx'))
      .flatMap(({ path, text }) =>
        [...text.matchAll(/(?<=>)\s*([A-Z][a-z]+ [a-z][^<>{}]*)(?=<\/)/g)].map(
          ([, words]) => `${path}: ${words}`,
        ),
      );
    expect(unlocalized).toEqual([]);
  });
});

describe('texts in the manifest', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const texts: Record<string, string> = JSON.parse(readFileSync(join(root, 'package.nls.json'), 'utf8'));
  const visible = new Set([
    'title',
    'name',
    'displayName',
    'description',
    'markdownDescription',
    'enumDescriptions',
    'enumItemLabels',
    'markdownEnumDescriptions',
    'contents',
    'contextualTitle',
    'label',
    'category',
  ]);

  /** Every user-visible text in a part of the manifest, with its path. */
  function visibleTexts(value: unknown, path: readonly string[] = []): readonly string[] {
    if (typeof value === 'string') {
      const key = path.findLast((part) => !/^\d+$/.test(part)) ?? '';
      return visible.has(key) && !/^%[\w.-]+%$/.test(value) ? [`${path.join('.')}: ${value}`] : [];
    }
    return typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, part]) => visibleTexts(part, [...path, key]))
      : [];
  }

  test('are all in package.nls.json', () => {
    const { displayName, description, contributes } = manifest;
    // The name of a problem matcher is its ID in tasks.json; the label of an address contains no word.
    const { problemMatchers: _, resourceLabelFormatters: __, ...shown } = contributes;
    expect(visibleTexts({ displayName, description, contributes: shown })).toEqual([]);
  });

  test('link only to commands of the product or of the editor', () => {
    const { commands, views } = manifest.contributes as {
      commands: readonly { command: string }[];
      views: Readonly<Record<string, readonly { id: string }[]>>;
    };
    // The editor creates a focus command for each view.
    const focusCommands = Object.values(views)
      .flat()
      .map(({ id }) => `${id}.focus`);
    const knownCommands = new Set([...commands.map(({ command }) => command), ...focusCommands]);
    const links = Object.values(texts).flatMap((words) =>
      [...words.matchAll(/\(command:([\w.]+)/g)].map(([, command]) => command ?? ''),
    );
    expect(
      links.filter((command) => command.startsWith('datamodelStudio.') && !knownCommands.has(command)),
    ).toEqual([]);
  });
});
