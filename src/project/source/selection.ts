/** The resources of an instance that a project manages, or that a command was limited to. */
export interface Selection {
  includesDatamodel(title: string): boolean;
  includesViewpoint(name: string): boolean;
  /** False if no viewpoint is selected: then none is read. */
  readonly hasViewpoints: boolean;
  /** The cube sets, by name: no request lists them (rest-api.md, "What is not described"). */
  readonly cubeSets: readonly string[];
}

/**
 * Returns a function that returns whether a name matches one of the patterns. `*` matches any characters, and a
 * backslash makes the character after it an ordinary one. Letter case counts, as on the server.
 */
export function createNameMatcher(patterns: readonly string[]): (name: string) => boolean {
  const expressions = patterns.map((pattern) => new RegExp(`^${toExpression(pattern)}$`, 'su'));
  return (name) => expressions.some((expression) => expression.test(name));
}

const toExpression = (pattern: string): string =>
  pattern.replaceAll(/\\(.)|\*|[^\\*]+|\\$/gsu, (part: string, escaped: string | undefined) =>
    part === '*' ? '.*' : escapeExpression(escaped ?? part),
  );

const escapeExpression = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
