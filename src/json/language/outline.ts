import type { Localize } from '../../base/localize.ts';
import { type JsonNode } from '../text/jsonNode.ts';
import type { JsonDocument } from '../text/parseJsonTree.ts';
import { getFieldText } from './columnProposals.ts';
import type { JsonDocumentKind } from './documentKind.ts';
import { getMemberValue, findReferencingObjects } from './catalogReference.ts';

/** An item in the outline of a document, with its display name. */
export interface OutlineItem {
  readonly kind: 'document' | 'column' | 'rule' | 'sharing';
  readonly name: string;
  readonly detail: string;
  readonly start: number;
  readonly end: number;
  readonly children: readonly OutlineItem[];
}

/** Returns the outline of a document; empty if the document cannot be parsed. */
export function getJsonOutline(
  t: Localize,
  kind: JsonDocumentKind,
  { root }: JsonDocument,
): readonly OutlineItem[] {
  if (root?.kind !== 'object' && root?.kind !== 'array') {
    return [];
  }
  const items = findReferencingObjects(kind, root).map(({ node }) =>
    kind === 'viewpoint' ? createColumnItem(node) : createRuleItem(node),
  );
  if (kind !== 'viewpoint' || root.kind !== 'object') {
    return items;
  }
  const visibility = getMemberValue(root, 'visibility');
  const children = visibility === undefined ? items : [...items, createSharingItem(t, visibility)];
  const detail = getFieldText(root, 'description') ?? '';
  return [
    { kind: 'document', name: getFieldText(root, 'name') ?? '…', detail, ...toTextRange(root), children },
  ];
}

const toTextRange = ({ start, end }: JsonNode): { readonly start: number; readonly end: number } => ({
  start,
  end,
});

const joinDefined = (parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join(' · ');

function createColumnItem(node: JsonNode & { kind: 'object' }): OutlineItem {
  const [title, column, dim] = ['title', 'column', 'dim'].map((key) => getFieldText(node, key));
  const detail = joinDefined([dim, getFieldText(node, 'agg'), getFieldText(node, 'level')]);
  return { kind: 'column', name: title ?? column ?? dim ?? '…', detail, ...toTextRange(node), children: [] };
}

function createRuleItem(node: JsonNode & { kind: 'object' }): OutlineItem {
  const [table = '…', column = '…'] = ['table', 'column'].map((key) => getFieldText(node, key));
  const shares = getMemberValue(node, 'shares');
  const shareNodes = shares?.kind === 'array' ? shares.items : [];
  const partyNames = shareNodes.map((share) =>
    share.kind === 'object'
      ? (getFieldText(share, 'partyName') ??
        getFieldText(share, 'party') ??
        getFieldText(share, 'partyId') ??
        getFieldText(share, 'type'))
      : undefined,
  );
  const detail = joinDefined(partyNames.slice(0, 5));
  return { kind: 'rule', name: `${table}.${column}`, detail, ...toTextRange(node), children: [] };
}

function createSharingItem(t: Localize, node: JsonNode): OutlineItem {
  const countItems = (key: string): number => {
    const list = getMemberValue(node, key);
    return list?.kind === 'array' ? list.items.length : 0;
  };
  const appCount = countItems('apps');
  const groupCount = countItems('groups');
  const userCount = countItems('users');
  const counts = [
    appCount === 1 ? t('1 app') : appCount > 1 ? t('{0} apps', appCount) : undefined,
    groupCount === 1 ? t('1 group') : groupCount > 1 ? t('{0} groups', groupCount) : undefined,
    userCount === 1 ? t('1 user') : userCount > 1 ? t('{0} users', userCount) : undefined,
  ];
  return {
    kind: 'sharing',
    name: 'visibility',
    detail: joinDefined(counts),
    ...toTextRange(node),
    children: [],
  };
}
