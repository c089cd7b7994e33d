/** Text to find on the screen: the whole text, or a pattern in it. */
export type TextMatcher = string | RegExp;

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

/** Returns a pattern for the whole of a text, apart from leading and trailing blanks. */
export function toExactPattern(text: TextMatcher): RegExp {
  return typeof text === 'string' ? new RegExp(`^\\s*${escape(text)}\\s*$`) : text;
}

/** Returns a pattern for a text alone or after a category: `Category: Title`. */
export function toTitlePattern(text: string): RegExp {
  return new RegExp(`^\\s*([^:]+: )?${escape(text)}\\s*$`);
}
