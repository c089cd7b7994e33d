import { type JsonNode } from '../text/jsonNode.ts';
import type { JsonDocument } from '../text/parseJson.ts';
import { fieldOf } from './columnProposals.ts';
import type { JsonDocumentKind } from './documentKind.ts';
import { memberOf, namingObjects } from './subject.ts';

/** What a document holds, as a person names it. */
export interface OutlineItem {
  readonly kind: 'document' | 'column' | 'rule' | 'sharing';
  readonly name: string;
  readonly detail: string;
  readonly start: number;
  readonly end: number;
  readonly children: readonly OutlineItem[];
}

/** The outline of a document; empty where it cannot be read. */
export function outlineOf(kind: JsonDocumentKind, { root }: JsonDocument): readonly OutlineItem[] {
  if (root?.kind !== 'object' && root?.kind !== 'array') {
    return [];
  }
  const items = namingObjects(kind, root).map(({ node }) =>
    kind === 'viewpoint' ? columnItem(node) : ruleItem(node),
  );
  if (kind !== 'viewpoint' || root.kind !== 'object') {
    return items;
  }
  const visibility = memberOf(root, 'visibility');
  const children = visibility === undefined ? items : [...items, sharingItem(visibility)];
  const detail = fieldOf(root, 'description') ?? '';
  return [{ kind: 'document', name: fieldOf(root, 'name') ?? '…', detail, ...extentOf(root), children }];
}

const extentOf = ({ start, end }: JsonNode): { readonly start: number; readonly end: number } => ({
  start,
  end,
});

const said = (parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join(' · ');

function columnItem(node: JsonNode & { kind: 'object' }): OutlineItem {
  const [title, column, dim] = ['title', 'column', 'dim'].map((key) => fieldOf(node, key));
  const detail = said([dim, fieldOf(node, 'agg'), fieldOf(node, 'level')]);
  return { kind: 'column', name: title ?? column ?? dim ?? '…', detail, ...extentOf(node), children: [] };
}

function ruleItem(node: JsonNode & { kind: 'object' }): OutlineItem {
  const [table = '…', column = '…'] = ['table', 'column'].map((key) => fieldOf(node, key));
  const shares = memberOf(node, 'shares');
  const parties = shares?.kind === 'array' ? shares.items : [];
  const words = parties.map((share) =>
    share.kind === 'object'
      ? (fieldOf(share, 'partyName') ??
        fieldOf(share, 'party') ??
        fieldOf(share, 'partyId') ??
        fieldOf(share, 'type'))
      : undefined,
  );
  const detail = said(words.slice(0, 5));
  return { kind: 'rule', name: `${table}.${column}`, detail, ...extentOf(node), children: [] };
}

function sharingItem(node: JsonNode): OutlineItem {
  const lists = ['apps', 'groups', 'users'].map((key) => {
    const list = memberOf(node, key);
    return list?.kind === 'array' && list.items.length > 0 ? `${list.items.length} ${key}` : undefined;
  });
  return { kind: 'sharing', name: 'visibility', detail: said(lists), ...extentOf(node), children: [] };
}
