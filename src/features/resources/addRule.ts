import * as vscode from 'vscode';
import type { OperationLocation } from '../../changes/model/operationLocation.ts';
import {
  type RuleGrant,
  type RuleParty,
  createRuleCreationOperation,
} from '../../changes/operations/ruleActions.ts';
import { type RuleSubject, getRuleSubject, getSubjectTitle } from '../../catalog/ruleSubject.ts';
import { loadKnownNames } from '../../connections/knownNames.ts';
import { KnownValuesReader } from '../../connections/knownValuesReader.ts';
import { getColumnTypeLabel, getRuleDatatype } from '../../contract/terms.ts';
import { getColumnName, getTableName } from '../../contract/table.ts';
import { ensureWritable } from '../../platform/ensureWritable.ts';
import { identifyPartyOrWarn } from '../../platform/identifyParty.ts';
import { showInformation } from '../../platform/messages.ts';
import { DocumentReader } from '../../changes/model/documentReader.ts';
import { readRules } from '../../security/readRule.ts';
import { KnownValues } from '../../security/values/knownValues.ts';
import { ValueIndex } from '../../security/values/valueIndex.ts';
import { parseValues } from '../../security/values/valueText.ts';
import { toPlainText } from '../../platform/serverText.ts';
import type { TreeTarget } from '../../contributions.ts';
import { findNearest } from '../../platform/treeTarget.ts';
import { type ChoiceItem, createChoiceStep, createTextStep } from '../../platform/wizard.ts';
import { runWizard, createConditionalStep } from '../../platform/wizardSteps.ts';
import { pickDatamodelOfNode, pickItem } from './pickResource.ts';
import { createAndReveal } from './createResource.ts';
import type { ResourcesDeps } from './deps.ts';
import { createPartyStep } from './partyStep.ts';
import { createValuesStep } from './valuesStep.ts';

const t = vscode.l10n.t;

interface NamedColumn {
  readonly table: string;
  readonly column: string;
  /** Set for a column of the datamodel; rules may also refer to other columns. */
  readonly isInDatamodel?: true;
}

interface SecuredColumn extends NamedColumn {
  readonly datatype: 'text' | 'numeric';
}

interface RuleForm {
  readonly partyType: RuleParty['type'];
  readonly party: string;
  readonly grant: RuleGrant['kind'];
  readonly members: string;
  /** What everyone else sees, if the column has no rule for them; `undefined` adds none. */
  readonly everyoneElse: 'everything' | 'nothing' | undefined;
}

/**
 * Asks for a column, a party and values, and adds a rule to an extract or live datamodel or to a cube set, once the
 * user has reviewed it.
 */
export async function addRule(deps: ResourcesDeps, node?: TreeTarget): Promise<void> {
  const rulesNode = findNearest(node, 'rules');
  const initialColumn = findNearest(node, 'columnRules')?.resource ?? getNodeColumn(node);
  const selection = rulesNode?.resource.subject ?? (await pickSubjectOfNode(deps, node));
  if (selection === undefined) {
    return;
  }
  const connectionId =
    node?.connectionId ?? ('location' in selection ? selection.location.connectionId : undefined);
  if (connectionId === undefined || !(await ensureWritable(deps, connectionId))) {
    return;
  }
  const ruleSubject = 'location' in selection ? selection.subject : selection;
  const location = { connectionId, within: [getSubjectTitle(ruleSubject)] };
  const column = await pickSecuredColumn(deps, location, ruleSubject, initialColumn);
  const form = column && (await promptForRule(deps, location, ruleSubject, column));
  if (column === undefined || form === undefined) {
    return;
  }
  const party = await resolveParty(deps, connectionId, form);
  if (party !== undefined) {
    const { everyoneElse } = form;
    const operation = createRuleCreationOperation(
      location,
      ruleSubject,
      { ...column, grant: toRuleGrant(form), parties: [party] },
      ...(everyoneElse === undefined
        ? []
        : [{ ...column, grant: { kind: everyoneElse }, parties: [{ type: 'default' } as const] }]),
    );
    await createAndReveal(deps, operation, (ruleId) => ({ kind: 'rule', subject: ruleSubject, ruleId }), {
      review: true,
    });
  }
}

async function pickSubjectOfNode(
  deps: ResourcesDeps,
  node?: TreeTarget,
): Promise<{ readonly location: OperationLocation; readonly subject: RuleSubject } | undefined> {
  const selection = await pickDatamodelOfNode(deps, t('New Rule'), node);
  return selection && { location: selection.location, subject: getRuleSubject(selection.datamodel) };
}

/** Returns the names of the column that a menu passed. */
function getNodeColumn(node: TreeTarget | undefined): NamedColumn | undefined {
  const [table, column] = [findNearest(node, 'table'), findNearest(node, 'column')];
  return table && column && { table: table.name, column: column.name, isInDatamodel: true };
}

/**
 * Returns the column of the new rule, which must hold text or numbers (rest-api.md, "Data security rule" 3): the passed
 * column, or else the one that the user picks. The columns of a cube set cannot be listed, so the user types its name.
 */
async function pickSecuredColumn(
  deps: ResourcesDeps,
  location: OperationLocation,
  subject: RuleSubject,
  initialColumn: NamedColumn | undefined,
): Promise<SecuredColumn | undefined> {
  const { catalog } = await deps.sessions.get(location.connectionId);
  const datamodel = (await catalog.readable.datamodels()).value.find(
    (candidate) => JSON.stringify(getRuleSubject(candidate)) === JSON.stringify(subject),
  );
  if (datamodel === undefined) {
    return promptForColumn(subject, initialColumn);
  }
  const columns: (SecuredColumn & { readonly typeName: string })[] = [];
  for (const dataset of await catalog.datasets(datamodel.oid)) {
    for (const table of await catalog.tables(datamodel.oid, dataset.oid)) {
      for (const column of table.columns ?? []) {
        const datatype = getRuleDatatype(column.type);
        if (datatype !== undefined) {
          const typeName = getColumnTypeLabel(column.type);
          columns.push({ table: getTableName(table), column: getColumnName(column), datatype, typeName });
        }
      }
    }
  }
  const matchingColumn = columns.find(
    ({ table, column }) => table === initialColumn?.table && column === initialColumn.column,
  );
  if (initialColumn?.isInDatamodel === true && matchingColumn === undefined) {
    await showInformation(
      t(
        "Can't add a rule to {0}. Only text and numeric columns can have rules.",
        `${initialColumn.table}.${initialColumn.column}`,
      ),
    );
    return undefined;
  }
  return (
    matchingColumn ??
    pickItem(columns, {
      title: t('New Rule in {0}', getSubjectTitle(subject)),
      placeholder: t('Select the column to secure'),
      emptyMessage: t('{0} has no text or numeric columns to secure.', getSubjectTitle(subject)),
      getLabel: ({ table, column }) => `${table}.${column}`,
      getDescription: ({ typeName }) => typeName,
      alwaysAsk: true,
    })
  );
}

function promptForColumn(
  subject: RuleSubject,
  initialColumn: NamedColumn | undefined,
): Promise<SecuredColumn | undefined> {
  const title = t('New Rule in {0}', getSubjectTitle(subject));
  const validateName = (value: string): string | undefined =>
    value.trim() === '' ? t('Enter a name.') : undefined;
  return runWizard<SecuredColumn>(
    [
      createTextStep('table', () => ({
        title,
        prompt: t('Table name (case-sensitive)'),
        validate: validateName,
      })),
      createTextStep('column', () => ({
        title,
        prompt: t('Column name (case-sensitive)'),
        validate: validateName,
      })),
      createChoiceStep<'datatype', SecuredColumn>('datatype', () => ({
        title,
        placeholder: t('Select the data type'),
        items: [
          { label: t('Text'), value: 'text' },
          { label: t('Numbers'), value: 'numeric' },
        ],
      })),
    ],
    { table: initialColumn?.table ?? '', column: initialColumn?.column ?? '', datatype: 'text' },
  );
}

async function promptForRule(
  deps: ResourcesDeps,
  { connectionId }: OperationLocation,
  subject: RuleSubject,
  { table, column }: SecuredColumn,
): Promise<RuleForm | undefined> {
  // The suggested names include the parties of existing rules.
  await loadKnownNames(deps, connectionId, subject);
  const { client, catalog } = await deps.sessions.get(connectionId);
  // Not from the catalog: others may have added one since.
  const document = await new DocumentReader(client).readDocument({ kind: 'rules', subject });
  const rules = Array.isArray(document) ? document : [];
  const knownValues = new KnownValues([
    ...new KnownValuesReader().readIndexes(catalog, subject),
    ValueIndex.fromRules(rules),
  ]);
  const hasDefaultRule = readRules(rules).some(
    (rule) =>
      rule.table === table && rule.column === column && rule.parties.some(({ type }) => type === 'default'),
  );
  const isExclusionUnsupported =
    subject.kind === 'live' && client.capabilities.returnsLiveExclusionary === false;
  const title = t('New Rule on {0}', toPlainText(`${table}.${column}`));
  const partyStep = createPartyStep<RuleForm>(
    { deps, connectionId, title },
    ({ partyType }) => partyType === 'group',
  );
  const needsDefaultRule = ({ partyType }: RuleForm): boolean => partyType !== 'default' && !hasDefaultRule;
  const needsMembers = ({ grant }: RuleForm): boolean => grant === 'only' || grant === 'except';
  const form = await runWizard<RuleForm>(
    [
      createChoiceStep<'partyType', RuleForm>('partyType', () => ({
        title,
        placeholder: t('Select who the rule applies to'),
        items: [
          { label: `$(organization) ${t('Group')}`, value: 'group' },
          { label: `$(person) ${t('User')}`, value: 'user' },
          {
            label: `$(globe) ${t('Everyone else')}`,
            description: t('anyone without a rule, directly or through a group'),
            value: 'default',
          },
        ],
      })),
      createConditionalStep(({ partyType }) => partyType !== 'default', partyStep),
      createChoiceStep('grant', ({ partyType }) => ({
        title,
        placeholder: t('Select the values they can see'),
        items: getGrantChoices(isExclusionUnsupported, partyType),
      })),
      createConditionalStep(
        needsMembers,
        createValuesStep(
          ({ grant }) => ({
            title,
            placeholder:
              grant === 'only'
                ? t('Values they can see, separated by ;')
                : t("Values they can't see, separated by ;"),
          }),
          { table, column },
          knownValues,
        ),
      ),
      createConditionalStep(
        needsDefaultRule,
        createChoiceStep<'everyoneElse', RuleForm>('everyoneElse', () => ({
          title,
          placeholder: t(
            '{0} has no rule for everyone else. Select the values they can see',
            `${table}.${column}`,
          ),
          items: [
            { label: t('No values'), value: 'nothing' },
            { label: t('All values'), value: 'everything' },
            {
              label: t('No rule'),
              description: t('their access is undefined'),
              value: undefined,
            },
          ],
        })),
      ),
    ],
    { partyType: 'group', party: '', grant: 'only', members: '', everyoneElse: 'nothing' },
  );
  return form && { ...form, everyoneElse: needsDefaultRule(form) ? form.everyoneElse : undefined };
}

/**
 * Returns the choices for the access; a default rule can only be everything or nothing (rest-api.md, "Kinds of rule").
 * @param isExclusionUnsupported true if the server returns live rules without `exclusionary`
 */
function getGrantChoices(
  isExclusionUnsupported: boolean,
  partyType: RuleParty['type'],
): ChoiceItem<RuleGrant['kind']>[] {
  const choices: ChoiceItem<RuleGrant['kind']>[] = [
    { label: t('Only certain values…'), value: 'only' },
    { label: t('All except certain values…'), value: 'except' },
    { label: t('All values'), value: 'everything' },
    { label: t('No values'), value: 'nothing' },
  ];
  return choices.filter(
    ({ value }) =>
      (partyType !== 'default' || value === 'everything' || value === 'nothing') &&
      (!isExclusionUnsupported || value !== 'except'),
  );
}

const toRuleGrant = ({ grant, members }: RuleForm): RuleGrant =>
  grant === 'only' || grant === 'except' ? { kind: grant, members: parseValues(members) } : { kind: grant };

async function resolveParty(
  deps: ResourcesDeps,
  connectionId: string,
  { partyType, party }: RuleForm,
): Promise<RuleParty | undefined> {
  if (partyType === 'default') {
    return { type: 'default' };
  }
  const identifiedParty = await identifyPartyOrWarn(deps, connectionId, { type: partyType, text: party });
  return identifiedParty && { type: partyType, id: identifiedParty.id };
}
