import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { collectTexts, readModuleTexts } from './productTexts.ts';
import { toPseudoTexts } from './pseudo.ts';
import { checkTranslation, orderTranslation, type Texts } from './translation.ts';
import { bundleFile, languages, manifestFile, pseudoLanguage } from './files.ts';

const root = join(import.meta.dirname, '../../..');

const readTexts = (path: string): Texts => JSON.parse(readFileSync(join(root, path), 'utf8')) as Texts;

const writeTexts = (path: string, texts: Texts): void =>
  writeFileSync(join(root, path), `${JSON.stringify(texts, undefined, 2)}\n`);

/** Prints what is wrong with a translation; returns whether something is. */
function reportTranslation(path: string, english: Texts, translated: Texts): boolean {
  const { missing, superfluous, problems } = checkTranslation(english, translated);
  const lines = [
    ...missing.map((key) => `missing: ${JSON.stringify(key)}: ${JSON.stringify(english[key])}`),
    ...superfluous.map((key) => `removed: ${JSON.stringify(key)}: ${JSON.stringify(translated[key])}`),
    ...problems,
  ];
  process.stdout.write(lines.map((line) => `${path}: ${line}\n`).join(''));
  return missing.length + problems.length > 0;
}

/**
 * `npm run l10n`: writes the English bundle from the code, removes translations that nothing uses any more, and prints
 * what is missing. `--pseudo` writes the pseudo-language, too.
 */
const { values: options } = parseArgs({ options: { pseudo: { type: 'boolean', default: false } } });
const texts = collectTexts(readModuleTexts(join(root, 'src')).values());
const english = [
  [bundleFile, Object.fromEntries(texts.map((text) => [text, text]))],
  [manifestFile, readTexts(manifestFile())],
] as const;
writeTexts(bundleFile(), english[0][1]);
for (const [getFile, source] of english) {
  for (const language of languages) {
    const path = getFile(language);
    const translated = readTexts(path);
    if (reportTranslation(path, source, translated)) {
      process.exitCode = 1;
    }
    writeTexts(path, orderTranslation(source, translated));
  }
  if (options.pseudo) {
    writeTexts(getFile(pseudoLanguage), toPseudoTexts(source));
  }
}
