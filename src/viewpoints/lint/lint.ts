import {
  type JsonMember,
  isNullLiteral,
  type JsonNode,
  getMembersByKey,
  type ObjectNode,
} from '../../json/text/jsonNode.ts';
import { type JsonDocument, parseJson } from '../../json/text/parseJson.ts';
import { Model } from '../model.ts';
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
  return lintDocument(parseJson(text), new Model(catalog));
}

/** Like {@link lintViewpoint}, for a text that is already parsed. */
export function lintDocument(
  { root, syntaxErrors }: JsonDocument,
  model: Model,
): readonly ViewpointProblem[] {
  const report = new ProblemCollector();
  for (const fault of syntaxErrors) {
    const isSyntaxError = fault.reason === 'syntax-error';
    const reason = isSyntaxError && fault.found === '' ? 'syntax-end' : fault.reason;
    // Parsers of JSON with comments accept a trailing comma, and it is not sent to the server.
    const severity = reason === 'trailing-comma' ? 'warning' : 'error';
    report.add({ code: 'syntax', severity, reason }, fault, undefined, fault.found);
  }
  if (root?.kind === 'object') {
    checkObject(root, viewpointShape, undefined, report);
    checkRules(root, model, syntaxErrors.length === 0, report);
  } else if (root !== undefined && syntaxErrors.length === 0) {
    report.add({ code: 'schema', reason: 'not-a-viewpoint' }, root, undefined, describeValueKind(root));
  }
  return report.problems.sort((a, b) => a.start - b.start || a.end - b.end);
}

function checkRules(root: ObjectNode, model: Model, isFinished: boolean, report: ProblemCollector): void {
  const fields = getMembersByKey(root);
  if (isFinished) {
    checkName(root, fields, report);
  }
  const visibility = fields.get('visibility');
  if (visibility?.value?.kind === 'object') {
    checkVisibility(visibility, visibility.value, report);
  }
  const details = fields.get('details')?.value;
  const columns = details?.kind === 'object' ? getMembersByKey(details).get('columns')?.value : undefined;
  if (columns?.kind === 'array') {
    const place: PathSegment = { parent: { parent: undefined, step: 'details' }, step: 'columns' };
    checkColumns(columns, place, model, report);
  }
}

/**
 * Checks the name, which a viewpoint is displayed by (rest-api.md, "Viewpoint"). A missing name is only reported for a
 * new viewpoint: a document with an `id` exists already, and one without a description is the body of an update. The
 * JSON schema checks that a new viewpoint has a description.
 */
function checkName(
  root: ObjectNode,
  fields: ReadonlyMap<string, JsonMember>,
  report: ProblemCollector,
): void {
  const isMissing = (key: string): boolean => isNullLiteral(fields.get(key)?.value);
  const name = fields.get('name');
  if (name?.value?.kind === 'literal' && name.value.value === '') {
    report.add({ code: 'schema', reason: 'blank-name' }, name, { parent: undefined, step: 'name' });
  }
  if (isMissing('id') && isMissing('name') && !isMissing('description')) {
    const brace = { start: root.start, end: root.start + 1 };
    report.add({ code: 'schema', severity: 'warning', reason: 'required' }, brace, undefined, 'name');
  }
}

/**
 * Checks that a shared viewpoint has at least one app and at least one user or group (rest-api.md, "Limits"). If all
 * lists are empty, it is not shared (decisions.md, "Stable interfaces"). Checks nothing if a list has a wrong type,
 * which is reported elsewhere.
 */
function checkVisibility(member: JsonMember, visibility: ObjectNode, report: ProblemCollector): void {
  const fields = getMembersByKey(visibility);
  const [apps, groups, users] = ['apps', 'groups', 'users'].map((key) => fields.get(key)?.value);
  if (![apps, groups, users].every((list) => isNullLiteral(list) || list?.kind === 'array')) {
    return;
  }
  const at: PathSegment = { parent: undefined, step: 'visibility' };
  const hasParty = isFilled(groups) || isFilled(users);
  if (hasParty && !isFilled(apps)) {
    report.add({ code: 'visibility-needs-app', reason: 'visibility-needs-app' }, member, at);
  } else if (isFilled(apps) && !hasParty) {
    report.add({ code: 'visibility-needs-party', reason: 'visibility-needs-party' }, member, at);
  }
}

const isFilled = (node: JsonNode | undefined): boolean => node?.kind === 'array' && node.items.length > 0;
