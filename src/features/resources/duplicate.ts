import * as vscode from 'vscode';
import { createRuleDuplicationOperation } from '../../changes/operations/ruleActions.ts';
import { createTableDuplicationOperation } from '../../changes/operations/tableActions.ts';
import { createViewpointDuplicationOperation } from '../../changes/operations/viewpointActions.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../../base/json.ts';
import type { RuleSubject } from '../../catalog/ruleSubject.ts';
import { cacheKnownNames } from '../../connections/knownNames.ts';
import { getTableName } from '../../contract/table.ts';
import { ensureWritable } from '../../platform/ensureWritable.ts';
import { resolvePartyOrAsk } from '../../platform/resolveTypedParty.ts';
import { showInformation } from '../../platform/messages.ts';
import type { ResourceTarget, TreeTarget } from '../../contributions.ts';
import { toResourceTarget } from '../../platform/treeTarget.ts';
import { createChoiceStep, createTextStep } from '../../platform/wizard.ts';
import { runWizard } from '../../platform/wizardSteps.ts';
import { createAndReveal } from './createResource.ts';
import type { ResourcesDeps } from './deps.ts';
import { createPartyStep } from './partyStep.ts';
import { getCopyName, createNameValidator } from './names.ts';
import { fetchTableDocument } from './fetchTableDocument.ts';

const t = vscode.l10n.t;

type CopiedKind = 'table' | 'rule' | 'viewpoint';
type CopiedRef<Kind extends CopiedKind> = Extract<ResourceTarget['resource'], { kind: Kind }>;

/** Duplicates a table or viewpoint under another name, or a rule for another party. */
export async function duplicateResource(deps: ResourcesDeps, node?: TreeTarget): Promise<void> {
  const target = node && toResourceTarget(node);
  const resource = target?.resource;
  const canBeDuplicated =
    resource?.kind === 'table' || resource?.kind === 'rule' || resource?.kind === 'viewpoint';
  if (target === undefined || !canBeDuplicated) {
    await showInformation(t('In the Connections view, select a table, rule, or viewpoint to duplicate.'));
  } else if (await ensureWritable(deps, target.connectionId)) {
    await (resource.kind === 'table'
      ? copyTable(deps, target, resource)
      : resource.kind === 'rule'
        ? copyRule(deps, target, resource)
        : copyViewpoint(deps, target, resource));
  }
}

async function copyTable(
  deps: ResourcesDeps,
  { connectionId, within, name }: ResourceTarget,
  ref: CopiedRef<'table'>,
): Promise<void> {
  const { catalog } = await deps.sessions.get(connectionId);
  const tables = await catalog.tables(ref.datamodelId, ref.datasetId);
  const copyName = await promptForCopyName(name, tables.map(getTableName));
  if (copyName !== undefined) {
    const document = await fetchTableDocument(deps, connectionId, ref);
    const { datamodelId, datasetId } = ref;
    const operation = createTableDuplicationOperation(
      { connectionId, within },
      { datamodelId, datasetId },
      document,
      copyName,
    );
    await createAndReveal(deps, operation, (tableId) => ({ kind: 'table', datamodelId, datasetId, tableId }));
  }
}

async function copyViewpoint(
  deps: ResourcesDeps,
  { connectionId, name }: ResourceTarget,
  { viewpointId }: CopiedRef<'viewpoint'>,
): Promise<void> {
  const { catalog, client } = await deps.sessions.get(connectionId);
  const copyName = await promptForCopyName(
    name,
    catalog.knownResources.viewpoints.flatMap((viewpoint) => viewpoint.name ?? []),
  );
  if (copyName !== undefined) {
    const { json: document } = await client.viewpoints.get({ viewpointId });
    const operation = createViewpointDuplicationOperation(
      { connectionId, within: [] },
      isJsonObject(document) ? document : {},
      copyName,
    );
    await createAndReveal(deps, operation, (id) => ({ kind: 'viewpoint', viewpointId: id }));
  }
}

const promptForCopyName = (name: string, existingNames: readonly string[]): Promise<string | undefined> => {
  const title = t('Duplicate {0}', name);
  return runWizard<{ name: string }>(
    [
      createTextStep('name', () => ({
        title,
        prompt: t('Name of the copy'),
        validate: createNameValidator(existingNames),
      })),
    ],
    { name: getCopyName(name, existingNames) },
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
  const title = t('Duplicate Rule of {0}', name);
  await cacheKnownNames(deps, connectionId, subject);
  const form = await runWizard<CopyForm>(
    [
      createChoiceStep<'type', CopyForm>('type', () => ({
        title,
        placeholder: t('Select who the copy applies to'),
        items: [
          { label: `$(organization) ${t('Group')}`, value: 'group' },
          { label: `$(person) ${t('User')}`, value: 'user' },
        ],
      })),
      createPartyStep<CopyForm>({ deps, connectionId, title }, ({ type }) => type === 'group'),
    ],
    { type: 'group', party: '' },
  );
  const identifiedParty =
    form && (await resolvePartyOrAsk(deps, connectionId, { type: form.type, text: form.party }));
  if (form === undefined || identifiedParty === undefined) {
    return;
  }
  const rule = await readRule(deps, connectionId, subject, ruleId);
  if (rule === undefined) {
    await showInformation(t('This rule no longer exists on the server.'));
    return;
  }
  const operation = createRuleDuplicationOperation({ connectionId, within }, subject, rule, [
    { type: form.type, id: identifiedParty.id },
  ]);
  await createAndReveal(deps, operation, (copyId) => ({ kind: 'rule', subject, ruleId: copyId }));
}

/** Reads a rule from the list of all rules, since no request returns a single rule (rest-api.md, "Endpoints"). */
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
