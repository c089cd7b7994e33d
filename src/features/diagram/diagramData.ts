import * as vscode from 'vscode';
import type { Log } from '../../base/log.ts';
import { ruleSubjectOf } from '../../catalog/ruleSubject.ts';
import { wholeDatamodel } from '../../catalog/wholeDatamodel.ts';
import type { Session } from '../../connections/sessions.ts';
import type { Datamodel } from '../../contract/datamodel.ts';
import type { Rule } from '../../contract/rule.ts';
import type { DiagramModel } from '../../webviews/diagramLayout/diagramModel.ts';
import { diagramOf } from '../../webviews/diagramLayout/diagramOf.ts';

export interface DiagramData {
  readonly model: DiagramModel;
  /** Why secured columns are not marked, where they are not. */
  readonly note?: string;
}

/**
 * What is drawn of a datamodel. Not everybody may read its rules; then the picture says that it does not mark them.
 * @throws ApiError when the tables cannot be read
 */
export async function diagramData(
  session: Session,
  datamodelId: string,
  log: Log,
): Promise<DiagramData & { readonly datamodel: Datamodel }> {
  const datamodel = await wholeDatamodel(session.catalog, datamodelId);
  const rules = await rulesOf(session, datamodel, log);
  const note = vscode.l10n.t('Secured columns are not marked: the rules could not be read.');
  return { datamodel, model: diagramOf(datamodel, rules), ...(rules === undefined ? { note } : {}) };
}

async function rulesOf(
  { catalog }: Session,
  datamodel: Datamodel,
  log: Log,
): Promise<readonly Rule[] | undefined> {
  try {
    return await catalog.rules(ruleSubjectOf(datamodel));
  } catch (error) {
    log.warn('diagram', 'Reading the rules failed', { reason: String(error) });
    return undefined;
  }
}
