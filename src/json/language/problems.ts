import type { JsonPath } from '../../base/json.ts';
import {
  type JsonNode,
  findNodeAtPath,
  getLiteralText,
  isNullOrMissing,
  toJsonValue,
} from '../text/jsonNode.ts';
import type { JsonDocument } from '../text/parseJsonTree.ts';
import { createPathTextEdits } from '../text/pathEdit.ts';
import type { TextEdit } from '../../base/textEdit.ts';
import { getRuleFixes } from '../../security/fixes/ruleFixes.ts';
import type { RuleFix } from '../../security/fixes/ruleFix.ts';
import type { RuleFinding } from '../../security/lint/finding.ts';
import { lintRules } from '../../security/lint/lintRules.ts';
import type { KnownValues } from '../../security/values/knownValues.ts';
import type { Catalog } from '../../sql/catalog.ts';
import type { ViewpointFix } from '../../viewpoints/fixes/viewpointFix.ts';
import { getViewpointFixes } from '../../viewpoints/fixes/viewpointFixes.ts';
import { lintParsedViewpoint } from '../../viewpoints/lint/lint.ts';
import type { ViewpointProblem } from '../../viewpoints/lint/problem.ts';
import { DatamodelLookup } from '../../viewpoints/datamodelLookup.ts';
import type { JsonDocumentKind } from './documentKind.ts';

/** A problem in a document. The message and the fixes are derived from its finding. */
export interface DocumentProblem {
  readonly finding:
    | { readonly linter: 'viewpoint'; readonly viewpointProblem: ViewpointProblem }
    | { readonly linter: 'rules'; readonly ruleFinding: RuleFinding };
  /**
   * The range to underline. For a value on several lines, and for any object or array in rules, it contains only the
   * key or the first character.
   */
  readonly start: number;
  readonly end: number;
  /** True if VS Code's JSON language support reports the problem too, so that it isn't shown twice. */
  readonly isReportedByEditor: boolean;
}

/** A fix for a problem, with its text edits. */
export interface DocumentFix {
  readonly fix:
    | { readonly linter: 'viewpoint'; readonly viewpointFix: ViewpointFix }
    | { readonly linter: 'rules'; readonly ruleFix: RuleFix };
  readonly isPreferred: boolean;
  readonly edits: readonly TextEdit[];
}

/**
 * Finds the problems in a document, which may have syntax errors. Names are only checked if the catalog is complete,
 * and the spelling of values only if `knownValues` is passed.
 */
export function getDocumentProblems(
  kind: JsonDocumentKind,
  document: JsonDocument,
  catalog?: Catalog,
  knownValues?: KnownValues,
): readonly DocumentProblem[] {
  if (kind === 'viewpoint') {
    return lintParsedViewpoint(document, new DatamodelLookup(catalog)).map((problem) => ({
      finding: { linter: 'viewpoint', viewpointProblem: problem },
      ...getProblemRange(document, problem),
      isReportedByEditor: isViewpointProblemReportedByEditor(problem),
    }));
  }
  // The editor reports syntax errors, and a rule that cannot be parsed cannot be checked.
  if (document.root === undefined || document.error !== undefined) {
    return [];
  }
  const { root } = document;
  return getRuleFindings(kind, root, catalog, knownValues).map((ruleFinding) => {
    const path = toDocumentPath(kind, ruleFinding);
    return {
      finding: { linter: 'rules', ruleFinding },
      ...getNearestRange(root, path),
      isReportedByEditor: isInvalidForSchema(ruleFinding, findNodeAtPath(root, path)?.node),
    };
  });
}

const isText = (node: JsonNode): boolean => getLiteralText(node) !== undefined;
const isList = (node: JsonNode): boolean => node.kind === 'array';

/**
 * The values of a rule's properties that the schema accepts, for properties that the schema and our own checks both
 * cover.
 */
const acceptedBySchema: ReadonlyMap<JsonPath[number] | undefined, (node: JsonNode) => boolean> = new Map([
  ['members', isList],
  ['shares', isList],
  ['party', isText],
  ['partyId', isText],
  ['fullname', isText],
  ['live', (node: JsonNode) => node.kind === 'literal' && typeof node.value === 'boolean'],
  ['datatype', (node: JsonNode) => ['text', 'numeric'].includes(getLiteralText(node) ?? '')],
]);

/** Returns whether a problem of a rule only follows from a value that the schema does not accept. */
function isInvalidForSchema({ path }: RuleFinding, node: JsonNode | undefined): boolean {
  const isAccepted = acceptedBySchema.get(path.at(-1));
  return isAccepted !== undefined && node !== undefined && !isNullOrMissing(node) && !isAccepted(node);
}

/**
 * Returns whether VS Code's JSON language support reports that a document is not valid JSON. It accepts empty
 * documents, and any depth.
 */
export const isSyntaxErrorReportedByEditor = ({ error }: Pick<JsonDocument, 'error'>): boolean =>
  error !== undefined && error.reason !== 'empty' && error.reason !== 'too-deep';

/** Returns whether VS Code's JSON language support reports a problem of a viewpoint too. */
export const isViewpointProblemReportedByEditor = ({ reason }: Pick<ViewpointProblem, 'reason'>): boolean =>
  reasonsReportedByEditor.has(reason);

/** Returns whether VS Code's JSON language support reports a problem in a list of rules too. */
export const isRuleFindingReportedByEditor = (
  { root }: Pick<JsonDocument, 'root'>,
  finding: RuleFinding,
): boolean => isInvalidForSchema(finding, findNodeAtPath(root, toDocumentPath('rules', finding))?.node);

/** The problems that VS Code's JSON language support reports too: invalid JSON, duplicate keys, and wrong types. */
const reasonsReportedByEditor: ReadonlySet<ViewpointProblem['reason']> = new Set([
  'syntax-error',
  'syntax-end',
  'trailing-comma',
  'not-a-viewpoint',
  'wrong-type',
  'wrong-item',
  'duplicate-key',
]);

function getRuleFindings(
  kind: 'rule' | 'rules',
  root: JsonNode,
  catalog: Catalog | undefined,
  knownValues: KnownValues | undefined,
): readonly RuleFinding[] {
  // With an incomplete catalog, no name can be reported as unknown.
  const completeCatalog = catalog?.complete === true ? catalog : undefined;
  if (kind === 'rules') {
    return root.kind === 'array'
      ? lintRules(toJsonValue(root) as readonly unknown[], completeCatalog, knownValues)
      : [];
  }
  // A file with a single rule does not show whether its column has a default rule.
  return root.kind === 'object'
    ? lintRules([toJsonValue(root)], completeCatalog, knownValues).filter(
        ({ code }) => code !== 'no-default-rule',
      )
    : [];
}

const toDocumentPath = (kind: JsonDocumentKind, { index, path }: RuleFinding): JsonPath =>
  kind === 'rules' ? [index, ...path] : path;

/** Returns the range of the value at a path, or of its nearest existing ancestor. */
function getNearestRange(root: JsonNode, path: JsonPath): { readonly start: number; readonly end: number } {
  for (let length = path.length; length > 0; length -= 1) {
    const match = findNodeAtPath(root, path.slice(0, length));
    if (match !== undefined) {
      const { member, node } = match;
      const end = member === undefined ? node?.end : isContainer(node) ? member.keyEnd : member.end;
      const start = member?.start ?? node?.start;
      return start === undefined || end === undefined
        ? getFirstCharacterRange(root)
        : shrinkToBracket(node, { start, end });
    }
  }
  return getFirstCharacterRange(root);
}

const isContainer = (node: JsonNode | undefined): boolean => node !== undefined && node.kind !== 'literal';

/** For a whole object or array, returns only the opening bracket, to avoid squiggles over many lines. */
const shrinkToBracket = (
  node: JsonNode | undefined,
  range: { readonly start: number; readonly end: number },
): { readonly start: number; readonly end: number } =>
  isContainer(node) && node?.start === range.start ? getFirstCharacterRange(node) : range;

const getFirstCharacterRange = ({ start }: JsonNode): { readonly start: number; readonly end: number } => ({
  start,
  end: start + 1,
});

function getProblemRange(
  { text, root }: JsonDocument,
  { start, end, path }: ViewpointProblem,
): { readonly start: number; readonly end: number } {
  if (!text.slice(start, end).includes('\n')) {
    return { start, end };
  }
  const member = findNodeAtPath(root, path)?.member;
  return member?.start === start ? { start, end: member.keyEnd } : { start, end: start + 1 };
}

/** Returns the fixes for a problem, best first. */
export function getDocumentFixes(
  kind: JsonDocumentKind,
  document: JsonDocument,
  { finding }: DocumentProblem,
  catalog?: Catalog,
): readonly DocumentFix[] {
  if (finding.linter === 'viewpoint') {
    return getViewpointFixes(document, finding.viewpointProblem, catalog).map((fix) => ({
      fix: { linter: 'viewpoint', viewpointFix: fix },
      isPreferred: fix.isPreferred,
      edits: fix.edits,
    }));
  }
  const { root } = document;
  const value = root === undefined ? undefined : toJsonValue(root);
  const rules = kind === 'rules' ? value : [value];
  const completeCatalog = catalog?.complete === true ? catalog : undefined;
  return getRuleFixes(finding.ruleFinding, Array.isArray(rules) ? rules : [], completeCatalog).flatMap(
    (fix): DocumentFix[] => {
      const edits = fix.edits.map((edit) => ({
        ...edit,
        path: kind === 'rules' ? edit.path : edit.path.slice(1),
      }));
      // A file with a single rule must have exactly one, so it cannot be removed and no other can be added.
      const isPossible = edits.every(({ path }) => path.length > 0);
      const textEdits = isPossible ? createPathTextEdits(document, edits) : [];
      return textEdits.length === 0
        ? []
        : [{ fix: { linter: 'rules', ruleFix: fix }, isPreferred: fix.isPreferred, edits: textEdits }];
    },
  );
}
