import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { getBundleFile, translatedLanguages, getManifestFile, pseudoLanguage } from './files.ts';
import { collectProductTexts, readModuleTexts } from './productTexts.ts';
import { pseudolocalizeTexts } from './pseudolocalize.ts';
import {
  checkTranslation,
  orderTranslation,
  parseTexts,
  type Texts,
  createEnglishBundle,
} from './translation.ts';

const root = join(import.meta.dirname, '../../..');

const readTexts = (path: string): Texts => parseTexts(readFileSync(join(root, path), 'utf8'));

const writeTexts = (path: string, texts: Texts): void =>
  writeFileSync(join(root, path), `${JSON.stringify(texts, undefined, 2)}\n`);

/** Brings a translation up to date, as far as possible without a translator; returns what remains to be done. */
function updateTranslation(path: string, english: Texts): readonly string[] {
  const translated = readTexts(path);
  const { missingKeys, superfluousKeys, problems } = checkTranslation(english, translated);
  writeTexts(path, orderTranslation(english, translated));
  const removed = superfluousKeys.map(
    (key) => `removed ${JSON.stringify(key)}: ${JSON.stringify(translated[key])}`,
  );
  process.stdout.write(removed.map((line) => `${path}: ${line}\n`).join(''));
  return [
    ...missingKeys.map((key) => `missing ${JSON.stringify(key)}: ${JSON.stringify(english[key])}`),
    ...problems,
  ].map((line) => `${path}: ${line}`);
}

/**
 * Writes the English bundle from the code, and removes translations that nothing uses anymore. Prints what is missing,
 * and fails if something is. `--pseudo` also writes the pseudo-language.
 */
function updateTexts(): void {
  const { values } = parseArgs({ options: { pseudo: { type: 'boolean', default: false } } });
  const modules = [...readModuleTexts(join(root, 'src')).values()];
  const bundle = createEnglishBundle(collectProductTexts(modules));
  writeTexts(getBundleFile(), bundle);
  const sources = [
    { getFile: getBundleFile, english: bundle },
    { getFile: getManifestFile, english: readTexts(getManifestFile()) },
  ];
  const problems = [
    ...modules.flatMap((module) => module.problems),
    ...sources.flatMap(({ getFile, english }) =>
      translatedLanguages.flatMap((language) => updateTranslation(getFile(language), english)),
    ),
  ];
  if (values.pseudo) {
    sources.forEach(({ getFile, english }) =>
      writeTexts(getFile(pseudoLanguage), pseudolocalizeTexts(english)),
    );
  }
  process.stdout.write(problems.map((problem) => `${problem}\n`).join(''));
  process.exitCode = problems.length === 0 ? 0 : 1;
}

updateTexts();
