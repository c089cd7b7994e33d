import type { Localize } from '../../base/localize.ts';

/** Creates the localization function from the translations that `renderWebviewHtml` wrote into the page, as JSON. */
export function createLocalize(translations: string | undefined): Localize {
  const texts: unknown = translations === undefined ? {} : JSON.parse(translations);
  const known = new Map(typeof texts === 'object' && texts !== null ? Object.entries(texts) : []);
  return (text, ...values) => {
    const wording = known.get(text);
    return (typeof wording === 'string' ? wording : text).replace(/\{(\d+)\}/g, (hole, index) =>
      String(values[Number(index)] ?? hole),
    );
  };
}
