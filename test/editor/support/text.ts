/** What a person looks for on the screen: the whole text, or a pattern in it. */
export type TextMatcher = string | RegExp;

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

/** A pattern for the whole of a text, blanks at the ends aside. */
export function toExactPattern(text: TextMatcher): RegExp {
  return typeof text === 'string' ? new RegExp(`^\\s*${escape(text)}\\s*$`) : text;
}

/** A pattern for a text that stands alone or behind a category: `Category: TextMatcher`. */
export function toTitlePattern(text: string): RegExp {
  return new RegExp(`^\\s*([^:]+: )?${escape(text)}\\s*$`);
}
