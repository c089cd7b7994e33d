import { readFileSync } from 'node:fs';
import * as vscode from 'vscode';

/**
 * Returns the translations of the texts of a page, by English text; empty if the editor's language has none.
 * @param texts the file with the texts of the page, which the build writes next to its bundle
 */
export function getPageTranslations(texts: vscode.Uri): Readonly<Record<string, string>> {
  const translations = vscode.l10n.bundle;
  return translations === undefined
    ? {}
    : pickTranslations(JSON.parse(readFileSync(texts.fsPath, 'utf8')) as readonly string[], translations);
}

const pickTranslations = (
  texts: readonly string[],
  translations: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    texts.flatMap((text) => {
      const translation = translations[text];
      return translation === undefined ? [] : [[text, translation]];
    }),
  );
