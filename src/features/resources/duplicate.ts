import * as vscode from 'vscode';
import { duplicateRule } from '../../changes/operations/ruleActions.ts';
import { duplicateTable } from '../../changes/operations/tableActions.ts';
import { duplicateViewpoint } from '../../changes/operations/viewpointActions.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../../base/json.ts';
import type { RuleSubject } from '../../catalog/ruleSubject.ts';
import { learnNames } from '../../connections/knownNames.ts';
import { tableName } from '../../contract/table.ts';
import { askWhoIsMeant } from '../../platform/identifyParty.ts';
import { showInformation } from '../../platform/messages.ts';
import type { ResourceTarget, TreeTarget } from '../../contributions.ts';
import { resourceTarget } from '../../platform/treeTarget.ts';
import { choiceStep, textStep } from '../../platform/wizard.ts';
import { runWizard } from '../../platform/wizardSteps.ts';
import { create } from './created.ts';
import type { ResourcesDeps } from './deps.ts';
import { partyStep } from './partyStep.ts';
import { copyName, freeName } from './names.ts';
import { readTable } from './readTable.ts';

const t = vscode.l10n.t;

type Copied = 'table' | 'rule' | 'viewpoint';
type CopiedRef<Kind extends Copied> = Extract<ResourceTarget['resource'], { kind: Kind }>;

/** Copies a table, a rule or a viewpoint: the first under another name, the rule for another party. */
export async function duplicate(deps: ResourcesDeps, node?: TreeTarget): Promise<void> {
  const target = node && resourceTarget(node);
  const resource = target?.resource;
  if (resource?.kind === 'table') {
    await copyTable(deps, target as ResourceTarget, resource);
  } else if (resource?.kind === 'rule') {
    await copyRule(deps, target as ResourceTarget, resource);
  } else if (resource?.kind === 'viewpoint') {
    await copyViewpoint(deps, target as ResourceTarget, resource);
  } else {
    await showInformation(t('Choose a table, a rule or a viewpoint in the explorer to duplicate it.'));
  }
}

async function copyTable(
  deps: ResourcesDeps,
  { connectionId, within, name }: ResourceTarget,
  ref: CopiedRef<'table'>,
): Promise<void> {
  const { catalog } = await deps.sessions.get(connectionId);
  const tables = await catalog.tables(ref.datamodelId, ref.datasetId);
  const copy = await askCopyName(name, tables.map(tableName));
  if (copy !== undefined) {
    const document = await readTable(deps, connectionId, ref);
    const { datamodelId, datasetId } = ref;
    const operation = duplicateTable({ connectionId, within }, { datamodelId, datasetId }, document, copy);
    await create(deps, operation, (tableId) => ({ kind: 'table', datamodelId, datasetId, tableId }));
  }
}

async function copyViewpoint(
  deps: ResourcesDeps,
  { connectionId, name }: ResourceTarget,
  { viewpointId }: CopiedRef<'viewpoint'>,
): Promise<void> {
  const { catalog, client } = await deps.sessions.get(connectionId);
  const copy = await askCopyName(
    name,
    catalog.known.viewpoints.flatMap((one) => one.name ?? []),
  );
  if (copy !== undefined) {
    const { json: document } = await client.viewpoints.get({ viewpointId });
    const operation = duplicateViewpoint(
      { connectionId, within: [] },
      isJsonObject(document) ? document : {},
      copy,
    );
    await create(deps, operation, (id) => ({ kind: 'viewpoint', viewpointId: id }));
  }
}

const askCopyName = (name: string, taken: readonly string[]): Promise<string | undefined> => {
  const title = t('Duplicate {0}', name);
  return runWizard<{ name: string }>(
    [textStep('name', () => ({ title, prompt: t('Name of the copy'), problem: freeName(taken) }))],
    { name: copyName(name, taken) },
  ).then((form) => form?.name);
};

interface CopyForm {
  readonly type: 'user' | 'group';
  readonly party: string;
}

async function copyRule(
  deps: ResourcesDeps,
  { connectionId, within, name }: ResourceTarget,
  { subject, ruleId }: CopiedRef<'rule'>,
): Promise<void> {
  const title = t('Duplicate the Rule of {0}', name);
  await learnNames(deps, connectionId, subject);
  const form = await runWizard<CopyForm>(
    [
      choiceStep<'type', CopyForm>('type', () => ({
        title,
        placeholder: t('Whom is the copy for?'),
        items: [
          { label: `$(organization) ${t('A group')}`, value: 'group' },
          { label: `$(person) ${t('A user')}`, value: 'user' },
        ],
      })),
      partyStep<CopyForm>({ deps, connectionId, title }, ({ type }) => type === 'group'),
    ],
    { type: 'group', party: '' },
  );
  const found = form && (await askWhoIsMeant(deps, connectionId, { type: form.type, text: form.party }));
  if (form === undefined || found === undefined) {
    return;
  }
  const rule = await readRule(deps, connectionId, subject, ruleId);
  if (rule === undefined) {
    await showInformation(t('The server no longer has this rule.'));
    return;
  }
  const operation = duplicateRule({ connectionId, within }, subject, rule, [
    { type: form.type, id: found.id },
  ]);
  await create(deps, operation, (copyId) => ({ kind: 'rule', subject, ruleId: copyId }));
}

/** One rule has no address of its own (spec, "Endpoints"): it is found among all. */
async function readRule(
  deps: ResourcesDeps,
  connectionId: string,
  subject: RuleSubject,
  ruleId: string,
): Promise<JsonObject | undefined> {
  const { client } = await deps.sessions.get(connectionId);
  const { json: rules } = await (subject.kind === 'live'
    ? client.liveRules.list(subject)
    : client.extractRules.list(subject));
  return (Array.isArray(rules) ? (rules as readonly JsonValue[]) : [])
    .filter(isJsonObject)
    .find((rule) => rule['_id'] === ruleId);
}
