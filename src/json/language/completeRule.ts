import { getRuleDatatype } from '../../contract/terms.ts';
import { type CompletionRequest, createNamedProposals, createWordProposals } from './completionRequest.ts';
import {
  createColumnProposals,
  getFieldText,
  createTableProposals,
  createValueProposal,
} from './columnProposals.ts';
import type { ProposalList } from './context.ts';

/** Returns the completions at a location in a rule or a list of rules; `undefined` if there are none. */
export function completeRule(asked: CompletionRequest, isList: boolean): ProposalList | undefined {
  const { path } = asked.place;
  const [key, index, part, ...rest] = isList ? path.slice(1) : path;
  if (rest.length > 0 || typeof key !== 'string') {
    return undefined;
  }
  if (part !== undefined) {
    return key === 'shares' && typeof index === 'number' ? completeParty(asked, String(part)) : undefined;
  }
  if (index !== undefined) {
    return key === 'members' && typeof index === 'number' ? completeMembers(asked) : undefined;
  }
  return completeRuleProperty(asked, key);
}

function completeRuleProperty(asked: CompletionRequest, key: string): ProposalList | undefined {
  const { located, place, offset, context } = asked;
  const { datamodels } = context.seen;
  switch (key) {
    case 'table':
      return createTableProposals(place, context.model);
    case 'column': {
      const all = createColumnProposals(located, place, context.model, offset, ({ type }) =>
        getRuleDatatype(type),
      );
      return { ...all, items: all.items.filter(({ label }) => canHaveRule(asked, label)) };
    }
    case 'datatype':
      return completeDatatype(asked);
    case 'elasticube':
      return createWordProposals(
        asked,
        datamodels.filter(({ isLive }) => !isLive).map(({ title }) => [title, 'extract']),
      );
    case 'server':
      return createWordProposals(
        asked,
        [...new Set(datamodels.filter(({ isLive }) => !isLive).map(({ server }) => server))].map((server) => [
          server,
          '',
        ]),
      );
    case 'fullname':
      return createWordProposals(
        asked,
        datamodels.filter(({ isLive }) => isLive).map(({ title }) => [`live:${title}`, 'live']),
      );
    default:
      return undefined;
  }
}

/** Date columns cannot have rules (rest-api.md, "Data security rule"). */
function canHaveRule({ place, context: { model } }: CompletionRequest, name: string): boolean {
  const [rule] = place.holders;
  const table = model.findTable((rule === undefined ? undefined : getFieldText(rule, 'table')) ?? '');
  const column = table === undefined ? undefined : model.findColumn(table, name);
  return column?.type === undefined || getRuleDatatype(column.type) !== undefined;
}

function completeDatatype(asked: CompletionRequest): ProposalList {
  const { place, context } = asked;
  const [rule] = place.holders;
  const [table = '', name = ''] =
    rule === undefined ? [] : [getFieldText(rule, 'table'), getFieldText(rule, 'column')];
  const known = context.model.findTable(table);
  const column = known === undefined ? undefined : context.model.findColumn(known, name);
  const right = getRuleDatatype(column?.type);
  return createWordProposals(
    asked,
    right === undefined
      ? [
          ['text', 'texts'],
          ['numeric', 'numbers'],
        ]
      : [[right, '']],
  );
}

/** Proposes members of other rules of the column, because no request lists the values of a column. */
function completeMembers({ place, context }: CompletionRequest): ProposalList {
  const [rule] = place.holders;
  const [table = '', column = ''] =
    rule === undefined ? [] : [getFieldText(rule, 'table'), getFieldText(rule, 'column')];
  const values = context.seen.members(table, column);
  return {
    items: values.map((value, rank) => createValueProposal(place, value, { kind: 'value', rank })),
    isComplete: true,
  };
}

/** Proposes IDs of users and groups, depending on the type of the share. */
function completeParty(asked: CompletionRequest, key: string): ProposalList | undefined {
  if (key !== 'party' && key !== 'partyId') {
    return undefined;
  }
  const [share] = asked.place.holders;
  const type = share === undefined ? undefined : getFieldText(share, 'type');
  // Rules refer to parties by ID (rest-api.md, "Data security rule"). A rule with a name instead would apply to no one.
  const { seen } = asked.context;
  const groups = seen.groups.filter(({ isId }) => isId === true);
  const users = seen.users.filter(({ isId }) => isId === true);
  if (type === 'default') {
    return undefined;
  }
  if (type === 'group' || type === 'user') {
    return createNamedProposals(asked, type === 'group' ? groups : users);
  }
  return createNamedProposals(asked, [...groups, ...users]);
}
