/**
 * The columns of a table of rules. A row is one or several values (see `security/values/valueText.ts`) for one party on
 * one column. Rows with the same text in `rule` form one rule; rows without it form one rule if they have the same
 * column, access and party.
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

/** Columns that a table must have. */
export const requiredColumns: readonly RuleTableColumn[] = ['table', 'column', 'party type'];

/** Alternative headings, in lower case and without characters other than letters and digits. */
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

/** Returns the column with a heading; only letters and digits are compared, in any case. */
export function parseColumnHeading(heading: string): RuleTableColumn | undefined {
  const normalized = heading.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  const match = ruleTableColumns.find((column) => column.replaceAll(' ', '') === normalized);
  return match ?? (Object.hasOwn(headingAliases, normalized) ? headingAliases[normalized] : undefined);
}

/** The keywords for the kinds of rule (platform-facts.md, 3.2). An exported table may also contain `unclear`. */
export const accessWords = ['only', 'except', 'everything', 'nothing'] as const;
export type AccessWord = (typeof accessWords)[number];
