import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findEnglishTexts } from './extractTexts.ts';
import { getManifestFile } from './files.ts';
import { readModuleTexts } from './productTexts.ts';
import { collectSchemaTexts } from './schemaTexts.ts';
import { parseTexts } from './translation.ts';

/** The folders of `src` whose texts are English only (translations.md, "What stays English"). */
const englishFolders = ['cli', 'launcher', 'sandbox'];

/** Scripts for shells. */
const skippedPath = /^cli\/completion\//;

/**
 * Lists the English texts that people read, by the file that they are in: the manifest, the modules that translate
 * texts, those of the command line and of the sandbox with its demo data, and the JSON schemas.
 * @param root the folder of the project
 */
export function listTexts(root: string): ReadonlyMap<string, readonly string[]> {
  const manifest = parseTexts(readFileSync(join(root, getManifestFile()), 'utf8'));
  const translatedTexts = readModuleTexts(join(root, 'src'));
  const englishPaths = englishFolders.flatMap((folder) =>
    readdirSync(join(root, 'src', folder), { recursive: true, encoding: 'utf8' })
      .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
      .filter((path) => path.endsWith('.ts') && !skippedPath.test(path)),
  );
  const english = new Map(
    englishPaths.map((path) => [path, findEnglishTexts(path, readFileSync(join(root, 'src', path), 'utf8'))]),
  );
  const paths = new Set([...translatedTexts.keys(), ...english.keys()]);
  return new Map(
    [
      [getManifestFile(), Object.values(manifest)] as const,
      ...[...paths]
        .sort()
        .map(
          (path) =>
            [
              `src/${path}`,
              [...new Set([...(translatedTexts.get(path)?.texts ?? []), ...(english.get(path) ?? [])])],
            ] as const,
        ),
      ['src/packaging/schemas', collectSchemaTexts()] as const,
    ].filter(([, texts]) => texts.length > 0),
  );
}

/** Formats texts by file, each on lines of its own and indented. */
export const formatTextList = (textsByPath: ReadonlyMap<string, readonly string[]>): string =>
  Array.from(
    textsByPath,
    ([path, texts]) => `${path}\n${texts.map((text) => `  ${text.replaceAll('\n', '\n  ')}\n`).join('')}`,
  ).join('\n');
