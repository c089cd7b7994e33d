/**
 * The columns of a table of rules. A row is one value of one party on one column; rows with the same text in `rule` are
 * one rule, and without it, rows with the same column, access and party are.
 */
export const ruleTableColumns = [
  'rule',
  'table',
  'column',
  'datatype',
  'access',
  'value',
  'party type',
  'party',
  'party name',
] as const;
export type RuleTableColumn = (typeof ruleTableColumns)[number];

/** Without these a table does not say who sees what. */
export const requiredColumns: readonly RuleTableColumn[] = ['table', 'column', 'party type'];

/** Alternative headings for these columns; only letters and digits are compared. */
const headingAliases: Readonly<Record<string, RuleTableColumn>> = {
  ruleid: 'rule',
  member: 'value',
  members: 'value',
  values: 'value',
  allowed: 'access',
  kind: 'access',
  partytype: 'party type',
  type: 'party type',
  partyid: 'party',
  partyname: 'party name',
  name: 'party name',
};

/** The column with the given heading. */
export function parseColumnHeading(heading: string): RuleTableColumn | undefined {
  const plain = heading.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  const named = ruleTableColumns.find((column) => column.replaceAll(' ', '') === plain);
  return named ?? (Object.hasOwn(headingAliases, plain) ? headingAliases[plain] : undefined);
}

/** The kinds of rule (platform-facts.md, 3.2) as keywords in a table; `unclear` is written only, never read. */
export const accessWords = ['only', 'except', 'everything', 'nothing'] as const;
export type AccessWord = (typeof accessWords)[number];
