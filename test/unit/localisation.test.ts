import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

/** Text for the user must go through the editor's localization, so that a language pack can translate it all. */
const root = join(import.meta.dirname, '../..');
const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => /^(features|platform|webviews|words|cli)\/.*\.tsx?$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(root, 'src', path), 'utf8') }));

/** The arguments of a call as written; `open` is the offset after its parenthesis. */
function argumentsAt(text: string, open: number): readonly string[] {
  const found: string[] = [];
  let depth = 0;
  let from = open;
  for (let at = open; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (char === "'" || char === '"' || char === '`') {
      at = endOfString(text, at);
    } else if ('([{'.includes(char)) {
      depth += 1;
    } else if (depth > 0 && ')]}'.includes(char)) {
      depth -= 1;
    } else if (depth === 0 && (char === ',' || char === ')')) {
      const argument = text.slice(from, at).trim();
      found.push(...(argument === '' ? [] : [argument]));
      from = at + 1;
      if (char === ')') {
        return found;
      }
    }
  }
  throw new Error('A call is not closed');
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== text[start]) {
    at += text[at] === '\\' ? 2 : 1;
  }
  return at;
}

const calls = sources.flatMap(({ path, text }) =>
  [...text.matchAll(/(?<![\w.])(?:vscode\.l10n\.)?t\(/g)].map(({ index, 0: { length } }) => ({
    place: `${path}:${text.slice(0, index).split('\n').length}`,
    parts: argumentsAt(text, index + length),
  })),
);

const holes = (words: string): readonly number[] =>
  [...new Set([...words.matchAll(/\{(\d+)\}/g)].map(([, digits]) => Number(digits)))].sort((a, b) => a - b);

describe('texts in the code', () => {
  test('are found', () => expect(calls.length).toBeGreaterThan(400));

  test('are whole sentences with placeholders, never concatenated', () => {
    const pieced = calls.filter(({ parts: [words = ''] }) => words.startsWith('`') || /['"] \+/.test(words));
    expect(pieced.map(({ place }) => place)).toEqual([]);
  });

  test('have as many placeholders as values', () => {
    const wrong = calls.filter(({ parts: [words = '', ...values] }) => {
      const isLiteral = /^['"].*['"]$/s.test(words);
      const wanted = holes(words);
      const isComplete = wanted.every((hole, index) => hole === index) && wanted.length === values.length;
      return isLiteral && !isComplete && !values.some((value) => value.startsWith('...'));
    });
    expect(wrong.map(({ place, parts }) => `${place} ${parts.join(', ')}`)).toEqual([]);
  });

  test('are used by messages, inputs and picks', () => {
    const bare = sources.flatMap(({ path, text }) =>
      [
        ...text.matchAll(
          /(?:show(?:Information|Warning|Error)(?:Message)?\(\s*|\b(?:title|placeHolder|placeholder|prompt|validationMessage|detail|description|tooltip|aria-label|ariaLabel)\s*[:=]\s*)(['"`][A-Z][a-z]+ [^'"`]*)/g,
        ),
      ].map(([, words]) => `${path}: ${words}`),
    );
    expect(bare).toEqual([]);
  });

  test('are used by pages between their tags', () => {
    const bare = sources
      .filter(({ path }) => path.endsWith('.tsx'))
      .flatMap(({ path, text }) =>
        [...text.matchAll(/(?<=>)\s*([A-Z][a-z]+ [a-z][^<>{}]*)(?=<\/)/g)].map(
          ([, words]) => `${path}: ${words}`,
        ),
      );
    expect(bare).toEqual([]);
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
    const focusing = Object.values(views)
      .flat()
      .map(({ id }) => `${id}.focus`);
    const own = new Set([...commands.map(({ command }) => command), ...focusing]);
    const links = Object.values(texts).flatMap((words) =>
      [...words.matchAll(/\(command:([\w.]+)/g)].map(([, command]) => command ?? ''),
    );
    expect(links.filter((command) => command.startsWith('datamodelStudio.') && !own.has(command))).toEqual(
      [],
    );
  });
});
