import { ruleDatatype } from '../../contract/terms.ts';
import { type Asked, namedProposals, wordProposals } from './asked.ts';
import { columnProposals, fieldOf, tableProposals, valueProposal } from './columnProposals.ts';
import type { Proposals } from './context.ts';

/** What can be typed into a rule, or into a list of rules. */
export function completeRule(asked: Asked, isList: boolean): Proposals | undefined {
  const { path } = asked.place;
  const [key, index, part, ...rest] = isList ? path.slice(1) : path;
  if (rest.length > 0 || typeof key !== 'string') {
    return undefined;
  }
  if (part !== undefined) {
    return key === 'shares' && typeof index === 'number' ? party(asked, String(part)) : undefined;
  }
  if (index !== undefined) {
    return key === 'members' && typeof index === 'number' ? members(asked) : undefined;
  }
  return rulePart(asked, key);
}

function rulePart(asked: Asked, key: string): Proposals | undefined {
  const { located, place, offset, context } = asked;
  const { datamodels } = context.seen;
  switch (key) {
    case 'table':
      return tableProposals(place, context.model);
    case 'column': {
      const all = columnProposals(located, place, context.model, offset, ({ type }) => ruleDatatype(type));
      return { ...all, items: all.items.filter(({ label }) => mayCarryRule(asked, label)) };
    }
    case 'datatype':
      return datatype(asked);
    case 'elasticube':
      return wordProposals(
        asked,
        datamodels.filter(({ isLive }) => !isLive).map(({ title }) => [title, 'extract']),
      );
    case 'server':
      return wordProposals(
        asked,
        [...new Set(datamodels.filter(({ isLive }) => !isLive).map(({ server }) => server))].map((server) => [
          server,
          '',
        ]),
      );
    case 'fullname':
      return wordProposals(
        asked,
        datamodels.filter(({ isLive }) => isLive).map(({ title }) => [`live:${title}`, 'live']),
      );
    default:
      return undefined;
  }
}

/** Columns of dates cannot carry rules (spec, "Data security rule"). */
function mayCarryRule({ place, context: { model } }: Asked, name: string): boolean {
  const [rule] = place.holders;
  const table = model.table((rule === undefined ? undefined : fieldOf(rule, 'table')) ?? '');
  const column = table === undefined ? undefined : model.column(table, name);
  return column?.type === undefined || ruleDatatype(column.type) !== undefined;
}

function datatype(asked: Asked): Proposals {
  const { place, context } = asked;
  const [rule] = place.holders;
  const [table = '', name = ''] = rule === undefined ? [] : [fieldOf(rule, 'table'), fieldOf(rule, 'column')];
  const known = context.model.table(table);
  const column = known === undefined ? undefined : context.model.column(known, name);
  const right = ruleDatatype(column?.type);
  return wordProposals(
    asked,
    right === undefined
      ? [
          ['text', 'texts'],
          ['numeric', 'numbers'],
        ]
      : [[right, '']],
  );
}

/** Values that other rules of the column have; the platform has no list of its values. */
function members({ place, context }: Asked): Proposals {
  const [rule] = place.holders;
  const [table = '', column = ''] =
    rule === undefined ? [] : [fieldOf(rule, 'table'), fieldOf(rule, 'column')];
  const values = context.seen.members(table, column);
  return {
    items: values.map((value, rank) => valueProposal(place, value, { kind: 'value', rank })),
    isComplete: true,
  };
}

/** The identifier of a party, by what kind of party it is. */
function party(asked: Asked, key: string): Proposals | undefined {
  if (key !== 'party' && key !== 'partyId') {
    return undefined;
  }
  const [share] = asked.place.holders;
  const type = share === undefined ? undefined : fieldOf(share, 'type');
  // A rule carries identifiers alone (spec, "Data security rule"): a name in place of one is for nobody.
  const { seen } = asked.context;
  const groups = seen.groups.filter(({ isId }) => isId === true);
  const users = seen.users.filter(({ isId }) => isId === true);
  if (type === 'default') {
    return undefined;
  }
  if (type === 'group' || type === 'user') {
    return namedProposals(asked, type === 'group' ? groups : users);
  }
  return namedProposals(asked, [...groups, ...users]);
}
