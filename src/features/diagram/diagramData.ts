import * as vscode from 'vscode';
import type { Log } from '../../base/log.ts';
import { getRuleSubject } from '../../catalog/ruleSubject.ts';
import { loadCompleteDatamodel } from '../../catalog/loadCompleteDatamodel.ts';
import type { Session } from '../../connections/sessions.ts';
import type { Datamodel } from '../../contract/datamodel.ts';
import type { Rule } from '../../contract/rule.ts';
import type { DiagramModel } from '../../webviews/diagramLayout/diagramModel.ts';
import { createDiagramModel } from '../../webviews/diagramLayout/createDiagramModel.ts';

/** The data of a diagram. */
export interface DiagramData {
  readonly model: DiagramModel;
  /** A message for the user if secured columns are not marked. */
  readonly note?: string;
}

/**
 * Loads the data of a datamodel's diagram. If the user may not read the rules, secured columns are not marked.
 * @throws ApiError if the tables cannot be read
 */
export async function loadDiagramData(
  session: Session,
  datamodelId: string,
  log: Log,
): Promise<DiagramData & { readonly datamodel: Datamodel }> {
  const datamodel = await loadCompleteDatamodel(session.catalog, datamodelId);
  const rules = await loadRules(session, datamodel, log);
  const note = vscode.l10n.t("Secured columns aren't marked because the rules couldn't be read.");
  return { datamodel, model: createDiagramModel(datamodel, rules), ...(rules === undefined ? { note } : {}) };
}

async function loadRules(
  { catalog }: Session,
  datamodel: Datamodel,
  log: Log,
): Promise<readonly Rule[] | undefined> {
  try {
    return await catalog.rules(getRuleSubject(datamodel));
  } catch (error) {
    log.warn('diagram', 'Reading the rules failed', { reason: String(error) });
    return undefined;
  }
}
