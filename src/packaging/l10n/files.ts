/** The languages that the product is translated to, as VS Code names them. */
export const translatedLanguages: readonly string[] = ['de'];

/** The pseudo-language of VS Code, which shows developers the texts that aren't translated. */
export const pseudoLanguage = 'qps-ploc';

const getSuffix = (language: string | undefined): string => (language === undefined ? '' : `.${language}`);

/** Returns the path of the texts in the code, in English or a language. */
export const getBundleFile = (language?: string): string => `l10n/bundle.l10n${getSuffix(language)}.json`;

/** Returns the path of the texts in `package.json`, in English or a language. */
export const getManifestFile = (language?: string): string => `package.nls${getSuffix(language)}.json`;
