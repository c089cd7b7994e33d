import Papa from 'papaparse';
import type { UserDirectory, ImportedMember } from './userDirectory.ts';

/** A row of a membership list as written; `row` counts blank lines too. */
interface MemberRow {
  readonly row: number;
  readonly user: string;
  /** Empty for a user who is in no group. */
  readonly group: string;
}

export interface MembershipProblem {
  readonly code:
    | 'empty'
    | 'quotes'
    | 'user-required'
    | 'group-required'
    | 'group-not-found'
    | 'group-ambiguous'
    | 'contradiction';
  /** 1 is the first line; 0 for a problem with the whole list. */
  readonly row: number;
  /** The name that is the problem, and for an unknown group the most similar known name, if there is one. */
  readonly args: readonly string[];
}

export interface ParsedMembership {
  readonly rows: readonly MemberRow[];
  readonly problems: readonly MembershipProblem[];
}

const delimiters = [',', ';', '\t'] as const;

/**
 * Reads group memberships: a row for each user and group, separated by comma, semicolon or tab. A first line
 * `user,group` is a header; a row with an empty group means that the user is in no group.
 */
export function parseMembership(text: string): ParsedMembership {
  const textWithoutBom = text.startsWith('\u{feff}') ? text.slice(1) : text;
  const { data, errors } = Papa.parse<string[]>(textWithoutBom, {
    delimiter: detectDelimiter(textWithoutBom),
  });
  const [quoteError] = errors.filter(({ type }) => type === 'Quotes');
  if (quoteError !== undefined) {
    return { rows: [], problems: [{ code: 'quotes', row: (quoteError.row ?? 0) + 1, args: [] }] };
  }
  const numberedRows = data
    .map((row, index) => ({ row: index + 1, cells: row.map((cell) => cell.trim()) }))
    .filter((row) => row.cells.some((cell) => cell !== ''));
  const [first] = numberedRows;
  const hasHeader = /^user\n(group|groups)$/i.test(first?.cells.slice(0, 2).join('\n') ?? '');
  const memberRows = hasHeader ? numberedRows.slice(1) : numberedRows;
  const problems = memberRows.flatMap(({ row, cells: [user = '', group] }): readonly MembershipProblem[] => {
    // A list of users alone does not mean that they are in no group.
    const code = group === undefined ? 'group-required' : user === '' ? 'user-required' : undefined;
    return code === undefined ? [] : [{ code, row, args: [user || (group ?? '')] }];
  });
  return {
    rows: memberRows.flatMap(({ row, cells: [user = '', group] }) =>
      user === '' || group === undefined ? [] : [{ row, user, group }],
    ),
    problems: memberRows.length === 0 ? [{ code: 'empty', row: 0, args: [] }] : problems,
  };
}

/** The first line decides; delimiters in quotes do not count. */
function detectDelimiter(text: string): string {
  const line = (/^\s*(\S.*)$/m.exec(text)?.[1] ?? '').replaceAll(/"[^"]*"/g, '');
  return delimiters.find((delimiter) => line.includes(delimiter)) ?? ',';
}

/**
 * The members of a list with the IDs of their groups. If a group name matches no group or several, its users are
 * omitted: a membership that is known only in part counts as unknown. Users whose rows contradict each other are
 * omitted, too.
 * @param groupIdsByName IDs of groups that the instance found by name
 */
export function resolveMembers(
  rows: readonly MemberRow[],
  directory: UserDirectory,
  groupIdsByName: ReadonlyMap<string, string>,
): { readonly members: readonly ImportedMember[]; readonly problems: readonly MembershipProblem[] } {
  const problems: MembershipProblem[] = [];
  const members = [...Map.groupBy(rows, ({ user }) => user)].flatMap(([user, userRows]): ImportedMember[] => {
    const isInNoGroup = userRows.some(({ group }) => group === '');
    if (isInNoGroup && userRows.some(({ group }) => group !== '')) {
      problems.push({ code: 'contradiction', row: userRows[0]?.row ?? 0, args: [user] });
      return [];
    }
    const ids = userRows.flatMap(({ group, row }) => (group === '' ? [] : getGroupIds(group, row)));
    return isInNoGroup || ids.length === userRows.length ? [{ user, groupIds: [...new Set(ids)] }] : [];
  });
  return { members, problems };

  function getGroupIds(group: string, row: number): readonly string[] {
    const resolution = directory.resolve('group', group);
    switch (resolution.kind) {
      case 'known':
      case 'identifier':
        return [resolution.id];
      case 'several':
        problems.push({ code: 'group-ambiguous', row, args: [group] });
        return [];
      case 'unknown': {
        const id = groupIdsByName.get(group);
        if (id !== undefined) {
          return [id];
        }
        const { nearest } = resolution;
        problems.push({
          code: 'group-not-found',
          row,
          args: [group, ...(nearest === undefined ? [] : [nearest])],
        });
        return [];
      }
    }
  }
}
