/** Returns a text with a capital first letter, for a text that is also used inside sentences. */
export const capitalize = (text: string): string => {
  const [first = ''] = text;
  return first.toLocaleUpperCase() + text.slice(first.length);
};
