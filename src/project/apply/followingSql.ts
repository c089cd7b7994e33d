import { unquoteName } from '../../sql/syntax/lexedText.ts';
import { lex } from '../../sql/syntax/lexer.ts';
import type { Token } from '../../sql/syntax/token.ts';
import type { ItemChange } from '../compare/itemChange.ts';
import type { Renamer } from '../pull/renames.ts';

/** The new names of tables and columns by their former names, all in lower case. */
type NewNames = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Creates a function that returns whether a change of SQL does nothing but use the new names of what the same apply
 * renames: once the apply is undone, the SQL of the instance has the former names again, and nothing else is different.
 */
export function createFollowingSqlCheck({
  renames,
  columnRenames,
}: Pick<Renamer, 'renames' | 'columnRenames'>): (change: ItemChange) => boolean {
  const pairs = [
    ...renames.flatMap(({ from, to }) =>
      from.kind === 'table' && to.kind === 'table'
        ? [{ datamodel: to.datamodel, from: from.table, to: to.table }]
        : [],
    ),
    ...columnRenames,
  ];
  const namesByDatamodel = new Map(
    [...Map.groupBy(pairs, ({ datamodel }) => datamodel)].map(([datamodel, group]) => [
      datamodel,
      collectNewNames(group),
    ]),
  );
  return ({ key, parts: [part, ...otherParts] }) => {
    if (key.kind !== 'tableExpression' && key.kind !== 'columnExpression') {
      return false;
    }
    const { before, after } = part ?? {};
    const newNames = namesByDatamodel.get(key.datamodel);
    return (
      newNames !== undefined &&
      otherParts.length === 0 &&
      typeof before === 'string' &&
      typeof after === 'string' &&
      differsOnlyInNames(before, after, newNames)
    );
  };
}

const collectNewNames = (pairs: readonly { readonly from: string; readonly to: string }[]): NewNames =>
  new Map(
    [...Map.groupBy(pairs, ({ from }) => from.toLowerCase())].map(([from, group]) => [
      from,
      new Set(group.map(({ to }) => to.toLowerCase())),
    ]),
  );

/**
 * Returns whether two texts of SQL are the same, comments and white space included, except for names that have their
 * new name in the second one. There, a rename may also have added the former name of a column as its alias.
 */
function differsOnlyInNames(before: string, after: string, newNames: NewNames): boolean {
  const [formerTokens, tokens] = [[...lex(before).tokens], [...lex(after).tokens]];
  let [index, formerEnd, end] = [0, 0, 0];
  for (const [formerIndex, former] of formerTokens.entries()) {
    const token = tokens[index];
    if (token === undefined || before.slice(formerEnd, former.start) !== after.slice(end, token.start)) {
      return false;
    }
    index += 1;
    [formerEnd, end] = [former.end, token.end];
    if (before.slice(former.start, former.end) === after.slice(token.start, token.end)) {
      continue;
    }
    const formerName = getName(before, former);
    const name = getName(after, token)?.toLowerCase();
    if (formerName === undefined || name === undefined) {
      return false;
    }
    if (newNames.get(formerName.toLowerCase())?.has(name) !== true) {
      return false;
    }
    const [as, alias] = tokens.slice(index, index + 2);
    if (
      as?.symbol === 'AS' &&
      alias !== undefined &&
      getName(after, alias) === formerName &&
      formerTokens[formerIndex + 1]?.symbol !== 'AS'
    ) {
      index += 2;
      end = alias.end;
    }
  }
  return index === tokens.length;
}

const getName = (text: string, token: Token): string | undefined =>
  token.kind === 'word' || token.kind === 'quotedName' ? unquoteName(text, token) : undefined;
