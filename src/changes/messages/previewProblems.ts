import type { Localize } from '../../base/localize.ts';
import type { PartyContradiction } from '../bulkRules/comparePartyNames.ts';
import { createPartyNamer, type Preview } from '../bulkRules/preview.ts';
import type { OverlappingRules } from '../../security/change/overlappingRules.ts';
import { getUnconfirmedCubeSetText } from '../../security/audit/cubeSetText.ts';
import { formatMatrixCell } from '../../security/matrix/cellText.ts';
import type { ColumnWithoutDefault } from '../../security/change/columnsWithoutDefault.ts';
import { isJsonObject } from '../../base/json.ts';
import { getScopeKey, parseRuleDocuments } from '../rules/parsedRuleDocument.ts';
import type { RuleChangeRefusedError } from '../rules/ruleTarget.ts';
import { formatRefusalReason } from './refusedRuleChange.ts';
import type { RuleObstacle } from '../../security/change/ruleDifference.ts';
import { ruleTableColumns } from '../../security/ruleTable/columns.ts';
import { formatOtherSpelling } from '../../security/values/spellingText.ts';
import { getTablePartyKey } from '../../security/ruleTable/unresolvedParties.ts';
import type { RuleTableColumn } from '../../security/ruleTable/columns.ts';
import type { TableFix, TableLocation } from '../../security/ruleTable/tableText.ts';
import type { TableProblem } from '../../security/ruleTable/tableRule.ts';

/** A message to show before a rule change is applied; an error prevents it. */
export interface PreviewProblem {
  readonly severity: 'error' | 'warning';
  readonly text: string;
  /** Set if a column loses its protection: the user may want that, but must not miss it. */
  readonly losesProtection?: true;
  /**
   * The location in the imported table; absent if it concerns no single row, or if the rules don't come from a table.
   */
  readonly location?: TableLocation;
  /** The suggested correction. */
  readonly fix?: TableFix;
}

/** The maximum number of rows or IDs that a problem lists. */
const maxListedItems = 8;

/** Returns the problems of a rule change: first the errors, which prevent it, then the warnings. */
export function getPreviewProblems(t: Localize, preview: Preview): readonly PreviewProblem[] {
  const { sourceRules, difference, uncoveredColumns, overlappingRules, foundParties, spellings } = preview;
  const getPartyName = createPartyNamer(preview);
  const isAmbiguous = (type: string | undefined, name: string | undefined): boolean =>
    foundParties.ambiguousParties.some((party) => party.type === type && party.idOrName === name);
  return [
    ...foundParties.ambiguousParties.map(
      ({ type, idOrName: name }): PreviewProblem => ({
        severity: 'error',
        text:
          type === 'group'
            ? t('More than one group is named {0}. Use the ID instead.', name)
            : t('More than one user is named {0}. Use the ID instead.', name),
      }),
    ),
    ...difference.obstacles
      .filter(({ code, args: [type, name] }) => code !== 'party-not-found' || !isAmbiguous(type, name))
      .map((obstacle) => createObstacleProblem(t, obstacle, difference.obstacles, foundParties)),
    ...foundParties.contradictions.map(
      (contradiction): PreviewProblem => ({
        severity: 'error',
        text: formatWithRows(t, contradiction.rows, formatContradiction(t, contradiction)),
        ...createLocation(contradiction.rows, ['party name']),
      }),
    ),
    ...(preview.refusal === undefined
      ? []
      : [{ severity: 'error', text: formatRefusal(t, preview.refusal, preview) } as const]),
    ...sourceRules.problems.map(
      ({ severity, ...problem }): PreviewProblem => ({
        severity,
        text: formatProblem(t, problem),
        ...createLocation([problem.row], getProblemColumns(problem)),
      }),
    ),
    ...difference.obstacleWarnings.map(
      (obstacle): PreviewProblem => ({
        ...createObstacleProblem(t, obstacle, difference.obstacleWarnings, foundParties),
        severity: 'warning',
      }),
    ),
    ...spellings.map(
      ({ rows, value, otherSpelling }): PreviewProblem => ({
        severity: 'warning',
        text: formatWithRows(t, rows, formatOtherSpelling({ value, otherSpelling }, t)),
        ...createLocation(rows, ['value']),
        ...createFix({ rows, columns: ['value'], from: value, to: otherSpelling }),
      }),
    ),
    ...(preview.isUnconfirmedCubeSet
      ? [{ severity: 'warning', text: getUnconfirmedCubeSetText(t) } as const]
      : []),
    ...uncoveredColumns.map(
      (column): PreviewProblem => ({
        severity: 'warning',
        text: formatUncoveredColumn(t, column),
        ...(column.losesDefault || column.everyoneElseSees === 'everything' ? { losesProtection: true } : {}),
      }),
    ),
    ...overlappingRules.map(
      (rules): PreviewProblem => ({
        severity: 'warning',
        text: formatOverlappingRules(t, rules, getPartyName(rules.party)),
      }),
    ),
    ...sourceRules.warnings.map((text): PreviewProblem => ({ severity: 'warning', text })),
    ...listItems(foundParties.unreportedIds, {
      formatAll: (ids) => t('Not reported by the instance, so these IDs might not exist: {0}.', ids),
      formatSome: (ids, count) =>
        t('Not reported by the instance, so these IDs might not exist: {0}, and {1} more.', ids, count),
    }),
    ...listItems(
      preview.formerNames.map(({ party, name }) => `${name} (${party.idOrName})`),
      {
        formatAll: (names) =>
          t("No user or group has these names anymore, so their rules aren't changed: {0}.", names),
        formatSome: (names, count) =>
          t(
            "No user or group has these names anymore, so their rules aren't changed: {0}, and {1} more.",
            names,
            count,
          ),
      },
    ),
    ...listItems(
      foundParties.uncomparedNames.map(({ party, name }) => `${name} (${party.idOrName})`),
      {
        formatAll: (names) =>
          t("These names can't be checked on the instance, so their IDs are used: {0}.", names),
        formatSome: (names, count) =>
          t(
            "These names can't be checked on the instance, so their IDs are used: {0}, and {1} more.",
            names,
            count,
          ),
      },
    ),
  ].sort((a, b) => getRank(a) - getRank(b));
}

/** Returns a warning that lists the first items and counts the others; none if there are no items. */
function listItems(
  items: readonly string[],
  format: {
    readonly formatAll: (items: string) => string;
    readonly formatSome: (items: string, otherCount: number) => string;
  },
): readonly PreviewProblem[] {
  if (items.length === 0) {
    return [];
  }
  const listedItems = items.slice(0, maxListedItems).join(', ');
  const otherCount = items.length - maxListedItems;
  const text = otherCount > 0 ? format.formatSome(listedItems, otherCount) : format.formatAll(listedItems);
  return [{ severity: 'warning', text }];
}

function formatContradiction(t: Localize, { party, name, actualName, otherIds }: PartyContradiction): string {
  const isGroup = party.type === 'group';
  const correction = t('Correct the party name, or clear either the party or its name.');
  const text =
    actualName !== undefined
      ? isGroup
        ? t('{0} is the group {1}, but the party name is {2}.', party.idOrName, actualName, name)
        : t('{0} is the user {1}, but the party name is {2}.', party.idOrName, actualName, name)
      : otherIds.length > 0
        ? isGroup
          ? t('{0} is the group {1}, but the party is {2}.', name, otherIds.join(', '), party.idOrName)
          : t('{0} is the user {1}, but the party is {2}.', name, otherIds.join(', '), party.idOrName)
        : isGroup
          ? t('{0} has the party name {1}, but no group has that name.', party.idOrName, name)
          : t('{0} has the party name {1}, but no user has that name.', party.idOrName, name);
  return `${text} ${correction}`;
}

/** Formats the reason why the server's rules don't allow the change, and how another mode would. */
function formatRefusal(
  t: Localize,
  refusal: RuleChangeRefusedError,
  { choices, currentRules }: Preview,
): string {
  const reason = formatRefusalReason(t, refusal);
  const [refusedScope] = parseRuleDocuments([refusal.rule]).map(getScopeKey);
  const hasExistingRule = parseRuleDocuments(currentRules.filter(isJsonObject)).some(
    (rule) => getScopeKey(rule) === refusedScope,
  );
  return refusal.code === 'same-parties' && choices.mode === 'add' && hasExistingRule
    ? `${reason} ${t('To replace the existing rules instead, change the mode.')}`
    : reason;
}

/** Returns the position of a problem in the list: errors come first, then lost protection, then other warnings. */
const getRank = ({ severity, losesProtection }: PreviewProblem): number =>
  severity === 'error' ? 0 : losesProtection === true ? 1 : 2;

const formatUncoveredColumn = (
  t: Localize,
  { table, column, everyoneElseSees, losesDefault }: ColumnWithoutDefault,
): string =>
  everyoneElseSees === 'everything'
    ? t('{0}.{1} would have no rules. Everyone would see all of its values.', table, column)
    : losesDefault
      ? t('{0}.{1} would lose its rule for everyone else. What they see would be uncertain.', table, column)
      : t('{0}.{1} would have no rule for everyone else. What they see would be uncertain.', table, column);

/** The maximum length of the text of rules in a problem. */
const maxRuleText = 120;

function formatOverlappingRules(
  t: Localize,
  { table, column, party: { type, id = '' }, grants }: OverlappingRules,
  name = id,
): string {
  const text = formatMatrixCell(grants);
  const party =
    type === 'default' ? t('Everyone else') : type === 'group' ? t('Group {0}', name) : t('User {0}', name);
  return t(
    '{0} would have {1} rules with different access on {2}: {3}',
    party,
    grants.length,
    `${table}.${column}`,
    text.length > maxRuleText ? `${text.slice(0, maxRuleText)}…` : text,
  );
}

const obstacleFormatters: Readonly<
  Record<RuleObstacle['code'], (t: Localize, ...args: readonly string[]) => string>
> = {
  'party-not-found': (t, type = '', name = '') =>
    type === 'group'
      ? t('Group not found: {0}.', name)
      : t("User not found: {0}. Enter the user's ID.", name),
  'unknown-table': (t, table = '') =>
    t('The datamodel has no table {0}. The rule would have no effect.', table),
  'unknown-column': (t, table = '', column = '') =>
    t('{0} has no column {1}. The rule would have no effect.', table, column),
  'date-column': (t, table = '', column = '') =>
    t("{0}.{1} is a date column. Rules don't support date columns.", table, column),
  'not-a-number': (t, table = '', column = '', value = '') =>
    t('{0}.{1} is numeric, but "{2}" isn\'t a number.', table, column, value),
  'exclusionary-live': (t, table = '', column = '') =>
    t(
      "The rule on {0}.{1} excludes values. For live datamodels, this server doesn't return such rules. List the visible values instead.",
      table,
      column,
    ),
};

function createObstacleProblem(
  t: Localize,
  { code, rows, args, closestName: closestTableOrColumn }: RuleObstacle,
  obstacles: readonly RuleObstacle[],
  { closestNames }: Preview['foundParties'],
): PreviewProblem {
  const [firstArg = '', secondArg = ''] = args;
  const closestName =
    code === 'party-not-found' && (firstArg === 'user' || firstArg === 'group')
      ? closestNames.get(getTablePartyKey({ type: firstArg, idOrName: secondArg }))
      : closestTableOrColumn;
  const text = obstacleFormatters[code](t, ...args);
  const columns = obstacleColumns[code];
  if (closestName === undefined) {
    return { severity: 'error', text: formatWithRows(t, rows, text), ...createLocation(rows, columns) };
  }
  const key = JSON.stringify([code, args]);
  const allRows = obstacles.filter((other) => JSON.stringify([other.code, other.args]) === key);
  return {
    severity: 'error',
    text: formatWithRows(t, rows, `${text} ${t('Did you mean {0}?', closestName)}`),
    ...createLocation(rows, columns),
    ...createFix({
      rows: allRows.flatMap((other) => other.rows),
      columns,
      from: code === 'unknown-table' ? firstArg : secondArg,
      to: closestName,
    }),
  };
}

/** The table columns that may contain the cause of an obstacle. */
const obstacleColumns: Readonly<Record<RuleObstacle['code'], readonly RuleTableColumn[]>> = {
  'party-not-found': ['party', 'party name'],
  'unknown-table': ['table'],
  'unknown-column': ['column'],
  'date-column': ['column'],
  'not-a-number': ['value'],
  'exclusionary-live': ['access'],
};

const problemColumns: Partial<Readonly<Record<TableProblem['code'], readonly RuleTableColumn[]>>> = {
  'unknown-access': ['access'],
  'unknown-party-type': ['party type'],
  'unknown-datatype': ['datatype'],
  'default-has-party': ['party', 'party name'],
  'value-ignored': ['value'],
  'empty-value': ['value'],
  'padded-value': ['value'],
  'several-values': ['value'],
};

const getProblemColumns = ({
  code,
  args,
}: Pick<TableProblem, 'code' | 'args'>): readonly RuleTableColumn[] =>
  code === 'cell-required'
    ? ruleTableColumns.filter((column) => column === args[0])
    : (problemColumns[code] ?? []);

const createLocation = (
  [row = 0]: readonly number[],
  columns: readonly RuleTableColumn[],
): Pick<PreviewProblem, 'location'> => (row === 0 ? {} : { location: { row, columns } });

/** Returns no fix for rules that were copied from another datamodel: they have no rows to correct. */
const createFix = (fix: TableFix): Pick<PreviewProblem, 'fix'> => (fix.rows.length === 0 ? {} : { fix });

function formatWithRows(t: Localize, rows: readonly number[], text: string): string {
  if (rows.length === 0) {
    return text;
  }
  const listedRows = rows.slice(0, maxListedItems).join(', ');
  return rows.length > maxListedItems
    ? t('Rows {0}, and {1} more: {2}', listedRows, rows.length - maxListedItems, text)
    : rows.length === 1
      ? t('Row {0}: {1}', listedRows, text)
      : t('Rows {0}: {1}', listedRows, text);
}

const problemFormatters: Readonly<
  Record<TableProblem['code'], (t: Localize, argument: string, secondArgument: string) => string>
> = {
  empty: (t) => t('The table is empty.'),
  'missing-column': (t, missingNames) =>
    t(
      'Missing columns: {0}. The first line must contain the column names ({1}), as in a table of exported rules.',
      missingNames,
      ruleTableColumns.join(', '),
    ),
  'ignored-column': (t, name, closestName) => {
    const text = t('The column "{0}" is unknown and is ignored.', name);
    return closestName === '' ? text : `${text} ${t('Did you mean {0}?', closestName)}`;
  },
  quotes: (t) => t('Missing closing quotation mark.'),
  'cell-required': (t, name) => t('"{0}" is empty.', name),
  'unknown-access': (t, word) =>
    t('Unknown access "{0}". Expected: only, except, everything, or nothing.', word),
  'unknown-party-type': (t, word) => t('Unknown party type "{0}". Expected: user, group, or default.', word),
  'unknown-datatype': (t, word) => t('Unknown data type "{0}". Expected: text or numeric.', word),
  'default-has-party': (t) =>
    t('Rows of party type default are for everyone else. Clear the party and its name.'),
  'mixed-rule': (t, row) => t('Conflicts with row {0} of the same rule.', row),
  'value-ignored': (t, value) =>
    t('The value {0} has no effect if the access is everything or nothing.', value),
  'empty-value': (t) =>
    t('Missing value. Enter "" for an empty value, or set the access to everything or nothing.'),
  'padded-value': (t, value) =>
    t('The spaces around "{0}" are ignored. Enclose the value in quotes to keep them.', value),
  'several-values': (t, count, values) =>
    t(
      'The cell lists {0} values: {1}. Semicolons and line breaks separate values. To use the text as one value, enclose it in quotes within the cell.',
      count,
      values,
    ),
  'surplus-field': (t, text) =>
    t(
      '"{0}" is beyond the last column and is ignored. Enclose fields that contain separators in quotes.',
      text,
    ),
  'undecodable-text': (t, cell) =>
    t('Characters in "{0}" were lost before the import. Save the table as UTF-8 and import it again.', cell),
  'guessed-encoding': (t, word) =>
    t(
      'The file isn\'t UTF-8, so it was read as Windows-1252. For example, it contains "{0}". If that looks wrong, save the file as UTF-8.',
      word,
    ),
};

const formatProblem = (t: Localize, { code, row, args }: Omit<TableProblem, 'severity'>): string =>
  formatWithRows(t, row === 0 ? [] : [row], problemFormatters[code](t, args[0] ?? '', args[1] ?? ''));
