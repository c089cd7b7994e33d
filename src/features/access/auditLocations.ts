import * as vscode from 'vscode';
import { listDatamodelFindables } from '../../catalog/findables.ts';
import { getSubjectTitle } from '../../catalog/ruleSubject.ts';
import { type DocumentRef, isDocumentRef } from '../../documents/documentAddress.ts';
import type { FindingPlace } from '../../security/audit/groupFindings.ts';
import type { InstanceAudit, SubjectAudit } from './auditInstance.ts';

/** The document that contains a finding. */
export interface FindingLocation {
  readonly resource: DocumentRef;
  readonly name: string;
  /** The names of the document's containers, outermost first, without the connection. */
  readonly within: readonly string[];
  /** The path inside the document's value. */
  readonly path: readonly (string | number)[];
}

/** Returns the location of a finding; `undefined` if it is about all rules of a cube set. */
export function locateFinding(
  { viewpointNames }: Pick<InstanceAudit, 'viewpointNames'>,
  { subject: { subject, rules, datamodel }, finding }: FindingPlace<SubjectAudit>,
): FindingLocation | undefined {
  const { code, index, viewpointId, table: tableName, path = [] } = finding;
  if (viewpointId !== undefined) {
    const resource = { kind: 'viewpoint', viewpointId } as const;
    return {
      resource,
      name: viewpointNames.get(viewpointId) ?? viewpointId,
      within: [],
      path: ['visibility'],
    };
  }
  if (code === 'no-rules' && datamodel !== undefined) {
    const resource = { kind: 'datamodel', datamodelId: datamodel.oid } as const;
    return { resource, name: datamodel.title, within: [], path: [] };
  }
  if (tableName !== undefined && datamodel !== undefined) {
    const table = listDatamodelFindables(datamodel).find(
      ({ name, ref }) => ref.kind === 'table' && name === tableName,
    );
    return table !== undefined && isDocumentRef(table.ref)
      ? { resource: table.ref, name: tableName, within: table.within, path: [] }
      : undefined;
  }
  const rule = index === undefined ? undefined : rules[index];
  if (rule === undefined) {
    return undefined;
  }
  const { table, column, _id: ruleId } = rule;
  const document = {
    name: `${table}.${column}`,
    within: [getSubjectTitle(subject), vscode.l10n.t('Data Security')],
  };
  return ruleId
    ? { resource: { kind: 'rule', subject, ruleId }, ...document, path }
    : { resource: { kind: 'columnRules', subject, table, column }, ...document, path: [] };
}
