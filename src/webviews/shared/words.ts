/** Words a text of the page in the language of the editor; `{0}`, `{1}`… stand for the values. */
export type Words = (text: string, ...values: readonly (string | number)[]) => string;

/** The words of a page, from the translations that its host wrote into it (`webviewHtml`). */
export function readWords(translations: string | undefined): Words {
  const texts: unknown = translations === undefined ? {} : JSON.parse(translations);
  const known = new Map(typeof texts === 'object' && texts !== null ? Object.entries(texts) : []);
  return (text, ...values) => {
    const wording = known.get(text);
    return (typeof wording === 'string' ? wording : text).replace(/\{(\d+)\}/g, (hole, index) =>
      String(values[Number(index)] ?? hole),
    );
  };
}
