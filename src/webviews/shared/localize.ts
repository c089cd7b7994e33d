import type { Localize } from '../../base/localize.ts';

/** Creates the localization function from the translations that `renderWebviewHtml` wrote into the page, as JSON. */
export function createLocalize(translations: string | undefined): Localize {
  const parsedTranslations: unknown = translations === undefined ? {} : JSON.parse(translations);
  const translationsByText = new Map(
    typeof parsedTranslations === 'object' && parsedTranslations !== null
      ? Object.entries(parsedTranslations)
      : [],
  );
  return (text, ...values) => {
    const translation = translationsByText.get(text);
    return (typeof translation === 'string' ? translation : text).replace(
      /\{(\d+)\}/g,
      (placeholder, index) => String(values[Number(index)] ?? placeholder),
    );
  };
}
