import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { getBundleFile, getManifestFile, translatedLanguages } from '../../src/packaging/l10n/files.ts';
import { findUntranslatedTexts } from '../../src/packaging/l10n/extractTexts.ts';
import { collectProductTexts, readModuleTexts } from '../../src/packaging/l10n/productTexts.ts';
import { checkTranslation, type Texts, createEnglishBundle } from '../../src/packaging/l10n/translation.ts';

/** Text for the user must go through the editor's localization. The command line is English only. */
const root = join(import.meta.dirname, '../..');
const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => /\.tsx?$/.test(path) && !/^(cli|launcher|packaging|sandbox)\//.test(path))
  .map((path) => ({ path, text: readFileSync(join(root, 'src', path), 'utf8') }));

const features = sources.filter(({ path }) => /^(features|platform|webviews)\//.test(path));

const modules = readModuleTexts(join(root, 'src'));

describe('texts in the code', () => {
  test('are found', () => expect(collectProductTexts(modules.values()).length).toBeGreaterThan(2000));

  test('are whole sentences with as many placeholders as values, never computed', () => {
    expect([...modules.values()].flatMap(({ problems }) => problems)).toEqual([]);
  });

  test('are translated by name only if they are in a translatable table', () => {
    const tables = new Set([...modules.values()].flatMap((module) => module.tableNames));
    expect([...tables].sort()).toEqual([
      'getLintTemplate',
      'problemMessages',
      'problemWords',
      'ruleFixMessages',
      'viewpointFixMessages',
    ]);
  });

  test('have a form for one and a form for several, not both in one', () => {
    const texts = collectProductTexts(modules.values());
    expect(texts.filter((text) => /\(s\)|\(es\)|\/s\b/.test(text))).toEqual([]);
  });

  test('include all sentences that a user may see, in every room', () => {
    expect(sources.flatMap(({ path, text }) => findUntranslatedTexts(path, text))).toEqual([]);
  });

  test('are localized in messages, inputs, and picks', () => {
    const unlocalized = features.flatMap(({ path, text }) =>
      [
        ...text.matchAll(
          /(?:show(?:Information|Warning|Error)(?:Message)?\(\s*|\b(?:title|placeHolder|placeholder|prompt|validationMessage|detail|description|tooltip|aria-label|ariaLabel)\s*[:=]\s*)(['"`][A-Z][a-z]+ [^'"`]*)/g,
        ),
      ].map(([, words]) => `${path}: ${words}`),
    );
    expect(unlocalized).toEqual([]);
  });

  test('are localized in pages between their tags', () => {
    const unlocalized = features
      .filter(({ path }) => path.endsWith('.tsx'))
      .flatMap(({ path, text }) =>
        [...text.matchAll(/(?<=>)\s*([A-Z][a-z]+ [a-z][^<>{}]*)(?=<\/)/g)].map(
          ([, words]) => `${path}: ${words}`,
        ),
      );
    expect(unlocalized).toEqual([]);
  });
});

const readTexts = (path: string): Texts => JSON.parse(readFileSync(join(root, path), 'utf8'));

describe('translations', () => {
  const bundle = readTexts(getBundleFile());

  test('start from an English bundle with the texts of the code (npm run l10n)', () => {
    const texts = collectProductTexts(modules.values());
    expect(checkTranslation(createEnglishBundle(texts), bundle)).toEqual({
      missingKeys: [],
      superfluousKeys: [],
      problems: [],
    });
    expect(bundle).toEqual(createEnglishBundle(texts));
    expect(Object.keys(bundle)).toEqual(texts);
  });

  test.each(translatedLanguages)(
    'to %s are complete, with the same placeholders, icons and links',
    (language) => {
      for (const getFile of [getBundleFile, getManifestFile]) {
        const translated = readTexts(getFile(language));
        expect(checkTranslation(readTexts(getFile()), translated)).toEqual({
          missingKeys: [],
          superfluousKeys: [],
          problems: [],
        });
        expect(Object.keys(translated)).toEqual(Object.keys(readTexts(getFile())));
      }
    },
  );

  test.each(translatedLanguages)(
    'to %s keep the keywords of cells, which are the same in every language',
    (language) => {
      const translated = readTexts(getBundleFile(language));
      expect(translated).toMatchObject({ All: 'All', Nothing: 'Nothing', 'All but {0}': 'All but {0}' });
    },
  );

  test('are in the package', () => {
    const packaged = new Set(readFileSync(join(root, '.vscodeignore'), 'utf8').split('\n'));
    const files = [undefined, ...translatedLanguages].flatMap((language) => [
      getBundleFile(language),
      getManifestFile(language),
    ]);
    expect(files.filter((file) => !packaged.has(`!${file}`))).toEqual([]);
  });
});

describe('texts in the manifest', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const texts = readTexts(getManifestFile());
  const visibleProperties = new Set([
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
  function findUnlocalizedTexts(value: unknown, path: readonly string[] = []): readonly string[] {
    if (typeof value === 'string') {
      const key = path.findLast((part) => !/^\d+$/.test(part)) ?? '';
      return visibleProperties.has(key) && !/^%[\w.-]+%$/.test(value) ? [`${path.join('.')}: ${value}`] : [];
    }
    return typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, part]) => findUnlocalizedTexts(part, [...path, key]))
      : [];
  }

  test('are all in package.nls.json', () => {
    const { displayName, description, contributes } = manifest;
    // The name of a problem matcher is its ID in tasks.json; the label of an address contains no word.
    const { problemMatchers: _, resourceLabelFormatters: __, ...shown } = contributes;
    expect(findUnlocalizedTexts({ displayName, description, contributes: shown })).toEqual([]);
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
