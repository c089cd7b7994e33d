import {
  type JsonMember,
  isNullOrMissing,
  type JsonNode,
  getMembersByKey,
  type ObjectNode,
} from '../../json/text/jsonNode.ts';
import { type JsonDocument, parseJsonTree } from '../../json/text/parseJsonTree.ts';
import { DatamodelLookup } from '../datamodelLookup.ts';
import type { Catalog } from '../../sql/catalog.ts';
import { checkColumns } from './checkColumns.ts';
import { checkObject, describeValueKind } from './checkShape.ts';
import { type PathSegment, ProblemCollector, type ViewpointProblem } from './problem.ts';
import { viewpointShape } from './shape.ts';

/**
 * Finds problems in a viewpoint, in the order of the text: checks all requirements and limits of the guide
 * (rest-api.md, "Viewpoint" and "Limits"). Accepts any text and never throws. Names are only checked if the catalog is
 * complete.
 */
export function lintViewpoint(text: string, catalog?: Catalog): readonly ViewpointProblem[] {
  return lintParsedViewpoint(parseJsonTree(text), new DatamodelLookup(catalog));
}

/** Like {@link lintViewpoint}, for a text that is already parsed. */
export function lintParsedViewpoint(
  { root, syntaxErrors }: JsonDocument,
  datamodel: DatamodelLookup,
): readonly ViewpointProblem[] {
  const collector = new ProblemCollector();
  for (const error of syntaxErrors) {
    const isSyntaxError = error.reason === 'syntax-error';
    const reason = isSyntaxError && error.unexpectedText === '' ? 'syntax-end' : error.reason;
    // Parsers of JSON with comments accept a trailing comma, and it is not sent to the server.
    const severity = reason === 'trailing-comma' ? 'warning' : 'error';
    collector.add({ code: 'syntax', severity, reason }, error, undefined, error.unexpectedText);
  }
  if (root?.kind === 'object') {
    checkObject(root, viewpointShape, undefined, collector);
    checkRequirements(root, datamodel, syntaxErrors.length === 0, collector);
  } else if (root !== undefined && syntaxErrors.length === 0) {
    collector.add({ code: 'schema', reason: 'not-a-viewpoint' }, root, undefined, describeValueKind(root));
  }
  // A property that is being typed is unknown until it is complete.
  const problems =
    syntaxErrors.length === 0
      ? collector.problems
      : collector.problems.filter(({ reason }) => reason !== 'unknown-key');
  return problems.sort((a, b) => a.start - b.start || a.end - b.end);
}

function checkRequirements(
  root: ObjectNode,
  datamodel: DatamodelLookup,
  isSyntaxValid: boolean,
  collector: ProblemCollector,
): void {
  const fields = getMembersByKey(root);
  if (isSyntaxValid) {
    checkName(root, fields, collector);
  }
  const visibility = fields.get('visibility');
  if (visibility?.value?.kind === 'object') {
    checkVisibility(visibility, visibility.value, collector);
    checkPublication(fields.get('enabled'), visibility.value, collector);
  }
  const details = fields.get('details')?.value;
  const columns = details?.kind === 'object' ? getMembersByKey(details).get('columns')?.value : undefined;
  if (columns?.kind === 'array') {
    const columnsSegment: PathSegment = { parent: { parent: undefined, step: 'details' }, step: 'columns' };
    checkColumns(columns, columnsSegment, datamodel, collector);
  }
}

/**
 * Checks the name, which a viewpoint is displayed by (rest-api.md, "Viewpoint"). A missing name is only reported for a
 * new viewpoint, which is a document with a description but no `id`: an existing one has an `id`, and the body of an
 * update may leave out the description.
 */
function checkName(
  root: ObjectNode,
  fields: ReadonlyMap<string, JsonMember>,
  collector: ProblemCollector,
): void {
  const isMissing = (key: string): boolean => isNullOrMissing(fields.get(key)?.value);
  const name = fields.get('name');
  if (name?.value?.kind === 'literal' && name.value.value === '') {
    collector.add({ code: 'schema', reason: 'blank-name' }, name, { parent: undefined, step: 'name' });
  }
  if (isMissing('id') && isMissing('name') && !isMissing('description')) {
    const openingBrace = { start: root.start, end: root.start + 1 };
    collector.add(
      { code: 'schema', severity: 'warning', reason: 'required' },
      openingBrace,
      undefined,
      'name',
    );
  }
}

/**
 * Checks that a shared viewpoint has at least one app and at least one user or group (rest-api.md, "Limits"). If all
 * lists are empty, it is not shared (decisions.md, "Stable interfaces"). Checks nothing if a list has a wrong type,
 * which is reported elsewhere.
 */
function checkVisibility(member: JsonMember, visibility: ObjectNode, collector: ProblemCollector): void {
  const fields = getMembersByKey(visibility);
  const [apps, groups, users] = ['apps', 'groups', 'users'].map((key) => fields.get(key)?.value);
  if (![apps, groups, users].every((list) => isNullOrMissing(list) || list?.kind === 'array')) {
    return;
  }
  const segment: PathSegment = { parent: undefined, step: 'visibility' };
  const hasParty = hasItems(groups) || hasItems(users);
  if (hasParty && !hasItems(apps)) {
    collector.add({ code: 'visibility-needs-app', reason: 'visibility-needs-app' }, member, segment);
  } else if (hasItems(apps) && !hasParty) {
    collector.add({ code: 'visibility-needs-party', reason: 'visibility-needs-party' }, member, segment);
  }
}

/**
 * Checks that the two members that state whether a viewpoint is published don't contradict each other: which one a
 * server follows isn't documented (rest-api.md, "Viewpoint publication").
 */
function checkPublication(
  member: JsonMember | undefined,
  visibility: ObjectNode,
  collector: ProblemCollector,
): void {
  const enabledInVisibility = getMembersByKey(visibility).get('enabled');
  const [state, stateInVisibility] = [member, enabledInVisibility].map(readBoolean);
  if (
    enabledInVisibility !== undefined &&
    state !== undefined &&
    stateInVisibility !== undefined &&
    state !== stateInVisibility
  ) {
    const parent: PathSegment = { parent: undefined, step: 'visibility' };
    collector.add(
      { code: 'publication-conflict', reason: 'publication-conflict' },
      enabledInVisibility,
      { parent, step: 'enabled' },
      String(state),
      String(stateInVisibility),
    );
  }
}

const readBoolean = (member: JsonMember | undefined): boolean | undefined =>
  member?.value?.kind === 'literal' && typeof member.value.value === 'boolean'
    ? member.value.value
    : undefined;

const hasItems = (node: JsonNode | undefined): boolean => node?.kind === 'array' && node.items.length > 0;
