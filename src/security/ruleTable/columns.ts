/**
 * The columns of a table of rules. A row is one value of one party on one column; rows with the same word in `rule`
 * are one rule, as are, without it, those with the same column, access and party.
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

/** Without these a table says nothing of who sees what. */
export const requiredColumns: readonly RuleTableColumn[] = ['table', 'column', 'party type'];

/** Other words that people write over such columns; letters and digits count. */
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

/** The column that a heading stands over. */
export function parseColumnHeading(heading: string): RuleTableColumn | undefined {
  const plain = heading.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  const named = ruleTableColumns.find((column) => column.replaceAll(' ', '') === plain);
  return named ?? (Object.hasOwn(headingAliases, plain) ? headingAliases[plain] : undefined);
}

/** The kinds of rule (platform-facts 3.2) as words of a table; `unclear` is written only, never read. */
export const accessWords = ['only', 'except', 'everything', 'nothing'] as const;
export type AccessWord = (typeof accessWords)[number];
