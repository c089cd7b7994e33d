import { getRuleDatatype } from '../../contract/terms.ts';
import type { CatalogColumn } from '../../sql/catalog.ts';
import { type CompletionRequest, createNamedProposals, createValueProposals } from './completionRequest.ts';
import {
  createColumnProposals,
  getFieldText,
  createTableProposals,
  createValueProposal,
  getTypedText,
  limitProposals,
  omitListed,
} from './columnProposals.ts';
import type { ProposalList } from './languageContext.ts';

/** Returns the completions at a location in a rule or a list of rules; `undefined` if there are none. */
export function completeRule(request: CompletionRequest, isList: boolean): ProposalList | undefined {
  const { path } = request.location;
  const [key, index, shareKey, ...deeperSteps] = isList ? path.slice(1) : path;
  if (deeperSteps.length > 0 || typeof key !== 'string') {
    return undefined;
  }
  if (shareKey !== undefined) {
    return key === 'shares' && typeof index === 'number'
      ? completeParty(request, String(shareKey))
      : undefined;
  }
  if (index !== undefined) {
    return key === 'members' && typeof index === 'number' ? completeMembers(request) : undefined;
  }
  return completeRuleProperty(request, key);
}

function completeRuleProperty(request: CompletionRequest, key: string): ProposalList | undefined {
  const { locatedDocument, location, offset, context } = request;
  const { datamodels } = context.instanceNames;
  switch (key) {
    case 'table':
      return createTableProposals(location, context.model);
    case 'column':
      return createColumnProposals(
        locatedDocument,
        location,
        context.model,
        offset,
        ({ type }) => getRuleDatatype(type),
        canHaveRule,
      );
    case 'datatype':
      return completeDatatype(request);
    case 'elasticube':
      return createValueProposals(
        request,
        datamodels.filter(({ isLive }) => !isLive).map(({ title }) => [title, request.t('extract')]),
      );
    case 'server':
      return createValueProposals(
        request,
        [...new Set(datamodels.filter(({ isLive }) => !isLive).map(({ server }) => server))].map((server) => [
          server,
          '',
        ]),
      );
    case 'fullname':
      return createValueProposals(
        request,
        datamodels.filter(({ isLive }) => isLive).map(({ title }) => [`live:${title}`, request.t('live')]),
      );
    default:
      return undefined;
  }
}

/** Date columns cannot have rules (rest-api.md, "Data security rule"). */
const canHaveRule = ({ type }: CatalogColumn): boolean =>
  type === undefined || getRuleDatatype(type) !== undefined;

function completeDatatype(request: CompletionRequest): ProposalList {
  const { location, context } = request;
  const [rule] = location.enclosingObjects;
  const [table = '', name = ''] =
    rule === undefined ? [] : [getFieldText(rule, 'table'), getFieldText(rule, 'column')];
  const catalogTable = context.model.findTable(table);
  const column = catalogTable === undefined ? undefined : context.model.findColumn(catalogTable, name);
  const datatype = getRuleDatatype(column?.type);
  return createValueProposals(
    request,
    datatype === undefined
      ? [
          ['text', request.t('text')],
          ['numeric', request.t('numbers')],
        ]
      : [[datatype, '']],
  );
}

/** Proposes members of other rules of the column, because no request lists the values of a column. */
function completeMembers({ locatedDocument, location, offset, context }: CompletionRequest): ProposalList {
  const [rule] = location.enclosingObjects;
  const [table = '', column = ''] =
    rule === undefined ? [] : [getFieldText(rule, 'table'), getFieldText(rule, 'column')];
  const { items: values, isComplete } = limitProposals(
    omitListed(context.instanceNames.getMembers(table, column), location, (value) => value),
    getTypedText(locatedDocument, location, offset),
    (value) => value,
  );
  return {
    items: values.map((value, rank) => createValueProposal(location, value, { kind: 'value', rank })),
    isComplete,
  };
}

/** Proposes IDs of users and groups, depending on the type of the share. */
function completeParty(request: CompletionRequest, key: string): ProposalList | undefined {
  if (key !== 'party' && key !== 'partyId') {
    return undefined;
  }
  const [share] = request.location.enclosingObjects;
  const type = share === undefined ? undefined : getFieldText(share, 'type');
  // Rules refer to parties by ID (rest-api.md, "Data security rule"). A rule with a name instead would apply to no one.
  const { instanceNames } = request.context;
  const groups = instanceNames.groups.filter(({ isId }) => isId === true);
  const users = instanceNames.users.filter(({ isId }) => isId === true);
  if (type === 'default') {
    return undefined;
  }
  if (type === 'group' || type === 'user') {
    return createNamedProposals(request, type === 'group' ? groups : users);
  }
  return createNamedProposals(request, [...groups, ...users]);
}
