import { type JsonNode, type JsonPath, findNodeAtPath, toJsonValue } from '../text/jsonNode.ts';
import type { JsonDocument } from '../text/parseJson.ts';
import { toPathTextEdits } from '../text/pathEdit.ts';
import type { TextEdit } from '../text/textEdit.ts';
import { getRuleFixes as ruleFixesFor } from '../../security/fixes/ruleFixes.ts';
import type { RuleFix } from '../../security/fixes/ruleFix.ts';
import type { RuleLint } from '../../security/lint/finding.ts';
import { lintRules } from '../../security/lint/lintRules.ts';
import type { Catalog } from '../../sql/catalog.ts';
import type { ViewpointFix } from '../../viewpoints/fixes/fix.ts';
import { getViewpointFixes } from '../../viewpoints/fixes/viewpointFixes.ts';
import { lintDocument } from '../../viewpoints/lint/lint.ts';
import type { ViewpointProblem } from '../../viewpoints/lint/problem.ts';
import { Model } from '../../viewpoints/model.ts';
import type { JsonDocumentKind } from './documentKind.ts';

/** Something wrong in a document; the finding that it comes from words it and mends it. */
export interface DocumentProblem {
  readonly finding:
    | { readonly of: 'viewpoint'; readonly problem: ViewpointProblem }
    | { readonly of: 'rules'; readonly lint: RuleLint };
  /** What is marked: of a value over several lines its key alone. */
  readonly start: number;
  readonly end: number;
  /** Whether the editor's own JSON support tells it as well, from the schema. */
  readonly isReportedBySchema: boolean;
}

/** A way to mend a problem, as changes of the text. */
export interface DocumentFix {
  readonly fix:
    | { readonly of: 'viewpoint'; readonly fix: ViewpointFix }
    | { readonly of: 'rules'; readonly fix: RuleFix };
  readonly isPreferred: boolean;
  readonly edits: readonly TextEdit[];
}

/** What is wrong in a document. Takes any text; names are only looked at where the catalogue is complete. */
export function getDocumentProblems(
  kind: JsonDocumentKind,
  document: JsonDocument,
  catalog?: Catalog,
): readonly DocumentProblem[] {
  if (kind === 'viewpoint') {
    return lintDocument(document, new Model(catalog)).map((problem) => ({
      finding: { of: 'viewpoint', problem },
      ...getMarkedExtent(document, problem),
      isReportedBySchema: schemaReasons.has(problem.reason),
    }));
  }
  // Half-typed rules are the editor's part: what cannot be read says nothing about anybody's access.
  if (document.root === undefined || document.error !== undefined) {
    return [];
  }
  const { root } = document;
  return getRuleLints(kind, root, catalog).map((lint) => ({
    finding: { of: 'rules', lint },
    ...getPathExtent(root, toDocumentPath(kind, lint)),
    isReportedBySchema: false,
  }));
}

/** What the editor's JSON support tells as well: syntax, types, fixed words, keys that stand twice. */
const schemaReasons: ReadonlySet<ViewpointProblem['reason']> = new Set([
  'syntax-error',
  'syntax-end',
  'trailing-comma',
  'too-deep',
  'empty',
  'not-a-viewpoint',
  'wrong-type',
  'wrong-item',
  'duplicate-key',
]);

function getRuleLints(
  kind: 'rule' | 'rules',
  root: JsonNode,
  catalog: Catalog | undefined,
): readonly RuleLint[] {
  // Rules name things with certainty of letter case; while the model is not known, nothing is unknown.
  const known = catalog?.complete === true ? catalog : undefined;
  if (kind === 'rules') {
    return root.kind === 'array' ? lintRules(toJsonValue(root) as readonly unknown[], known) : [];
  }
  // A rule alone in its file says nothing of the others of its column.
  return root.kind === 'object'
    ? lintRules([toJsonValue(root)], known).filter(({ code }) => code !== 'no-default-rule')
    : [];
}

const toDocumentPath = (kind: JsonDocumentKind, { index, path }: RuleLint): JsonPath =>
  kind === 'rules' ? [index, ...path] : path;

/** The place of a path; of something that is missing, that of what lacks it. */
function getPathExtent(root: JsonNode, path: JsonPath): { readonly start: number; readonly end: number } {
  for (let length = path.length; length > 0; length -= 1) {
    const place = findNodeAtPath(root, path.slice(0, length));
    if (place !== undefined) {
      const { member, node } = place;
      const end = member === undefined ? node?.end : isContainer(node) ? member.keyEnd : member.end;
      const start = member?.start ?? node?.start;
      return start === undefined || end === undefined
        ? getFirstCharacter(root)
        : shrinkToBracket(node, { start, end });
    }
  }
  return getFirstCharacter(root);
}

const isContainer = (node: JsonNode | undefined): boolean => node !== undefined && node.kind !== 'literal';

/** Of a whole object or list the bracket alone: nobody wants a screen full of marks. */
const shrinkToBracket = (
  node: JsonNode | undefined,
  extent: { readonly start: number; readonly end: number },
): { readonly start: number; readonly end: number } =>
  isContainer(node) && node?.start === extent.start ? getFirstCharacter(node) : extent;

const getFirstCharacter = ({ start }: JsonNode): { readonly start: number; readonly end: number } => ({
  start,
  end: start + 1,
});

function getMarkedExtent(
  { text, root }: JsonDocument,
  { start, end, path }: ViewpointProblem,
): { readonly start: number; readonly end: number } {
  if (!text.slice(start, end).includes('\n')) {
    return { start, end };
  }
  const member = findNodeAtPath(root, path)?.member;
  return member?.start === start ? { start, end: member.keyEnd } : { start, end: start + 1 };
}

/** The ways to mend a problem, the best first. */
export function getDocumentFixes(
  kind: JsonDocumentKind,
  document: JsonDocument,
  { finding }: DocumentProblem,
  catalog?: Catalog,
): readonly DocumentFix[] {
  if (finding.of === 'viewpoint') {
    return getViewpointFixes(document, finding.problem, catalog).map((fix) => ({
      fix: { of: 'viewpoint', fix },
      isPreferred: fix.isPreferred,
      edits: fix.edits,
    }));
  }
  const { root } = document;
  const value = root === undefined ? undefined : toJsonValue(root);
  const rules = kind === 'rules' ? value : [value];
  const known = catalog?.complete === true ? catalog : undefined;
  return ruleFixesFor(finding.lint, Array.isArray(rules) ? rules : [], known).flatMap(
    (fix): DocumentFix[] => {
      const edits = fix.edits.map((edit) => ({
        ...edit,
        path: kind === 'rules' ? edit.path : edit.path.slice(1),
      }));
      // A rule alone in its file cannot be taken away, nor get another beside it.
      const isPossible = edits.every(({ path }) => path.length > 0);
      const changes = isPossible ? toPathTextEdits(document, edits) : [];
      return changes.length === 0
        ? []
        : [{ fix: { of: 'rules', fix }, isPreferred: fix.isPreferred, edits: changes }];
    },
  );
}
