/** Up to this length, a word may be an acronym, which is written in capitals. */
const maxAcronymLength = 4;

/**
 * Returns further texts to search viewpoints for, since the platform distinguishes upper and lower case
 * (rest-api.md, "ViewpointSearch"): the longest word of a text as typed, in lowercase, capitalized, and, if it is
 * short, in capitals. The results also contain viewpoints without the whole text, so the caller filters them.
 */
export function getOtherSpellings(text: string): readonly string[] {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const longest = words.reduce((a, b) => (b.length > a.length ? b : a), '');
  const lower = longest.toLowerCase();
  const upper = longest.toUpperCase();
  const spellings = [
    longest,
    lower,
    upper.slice(0, 1) + lower.slice(1),
    ...(longest.length <= maxAcronymLength ? [upper] : []),
  ];
  return [...new Set(spellings)].filter((spelling) => spelling !== '' && spelling !== text);
}
