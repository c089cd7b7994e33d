import * as vscode from 'vscode';
import type { Place } from '../../changes/model/place.ts';
import { type RuleGrant, type RuleParty, createRule } from '../../changes/operations/ruleActions.ts';
import { type RuleSubject, ruleSubjectOf, subjectTitle } from '../../catalog/ruleSubject.ts';
import { learnNames } from '../../connections/knownNames.ts';
import { columnType, ruleDatatype } from '../../contract/terms.ts';
import { columnName, tableName } from '../../contract/table.ts';
import { askWhoIsMeant } from '../../platform/identifyParty.ts';
import { showInformation } from '../../platform/messages.ts';
import { plainText } from '../../platform/serverText.ts';
import type { TreeTarget } from '../../contributions.ts';
import { nearest } from '../../platform/treeTarget.ts';
import { type ChoiceItem, choiceStep, textStep } from '../../platform/wizard.ts';
import { runWizard, when } from '../../platform/wizardSteps.ts';
import { chooseDatamodel, chooseFrom } from './choose.ts';
import { create } from './created.ts';
import type { ResourcesDeps } from './deps.ts';
import { partyStep } from './partyStep.ts';

const t = vscode.l10n.t;

interface NamedColumn {
  readonly table: string;
  readonly column: string;
  /** Set for a column of the datamodel; rules may name others. */
  readonly isThere?: true;
}

interface SecuredColumn extends NamedColumn {
  readonly datatype: 'text' | 'numeric';
}

interface RuleForm {
  readonly partyType: RuleParty['type'];
  readonly party: string;
  readonly grant: RuleGrant['kind'];
  readonly members: string;
}

/** Asks for column, party and values, and adds a rule: to an extract or live datamodel, or to a cube set. */
export async function newRule(deps: ResourcesDeps, node?: TreeTarget): Promise<void> {
  const subject = nearest(node, 'rules');
  const known = nearest(node, 'columnRules')?.resource ?? columnOf(node);
  const chosen = subject?.resource.subject ?? (await chooseSubject(deps, node));
  if (chosen === undefined) {
    return;
  }
  const connectionId = node?.connectionId ?? ('place' in chosen ? chosen.place.connectionId : undefined);
  if (connectionId === undefined) {
    return;
  }
  const ruleSubject = 'place' in chosen ? chosen.subject : chosen;
  const place = { connectionId, within: [subjectTitle(ruleSubject)] };
  const column = await chooseColumn(deps, place, ruleSubject, known);
  const form = column && (await askRule(deps, place, ruleSubject, column));
  if (column === undefined || form === undefined) {
    return;
  }
  const party = await partyOf(deps, connectionId, form);
  if (party !== undefined) {
    const operation = createRule(place, ruleSubject, { ...column, grant: grantOf(form), parties: [party] });
    await create(deps, operation, (ruleId) => ({ kind: 'rule', subject: ruleSubject, ruleId }));
  }
}

async function chooseSubject(
  deps: ResourcesDeps,
  node?: TreeTarget,
): Promise<{ readonly place: Place; readonly subject: RuleSubject } | undefined> {
  const chosen = await chooseDatamodel(deps, t('New Rule'), node);
  return chosen && { place: chosen.place, subject: ruleSubjectOf(chosen.datamodel) };
}

/** The column that a menu passed, by its names. */
function columnOf(node: TreeTarget | undefined): NamedColumn | undefined {
  const [table, column] = [nearest(node, 'table'), nearest(node, 'column')];
  return table && column && { table: table.name, column: column.name, isThere: true };
}

/**
 * A column that can carry a rule: of text or numbers (spec: date dimensions are not supported). A cube set has no
 * columns of its own that could be listed, so its column is typed.
 */
async function chooseColumn(
  deps: ResourcesDeps,
  place: Place,
  subject: RuleSubject,
  known: NamedColumn | undefined,
): Promise<SecuredColumn | undefined> {
  const { catalog } = await deps.sessions.get(place.connectionId);
  const datamodel = (await catalog.readable.datamodels()).value.find(
    (one) => JSON.stringify(ruleSubjectOf(one)) === JSON.stringify(subject),
  );
  if (datamodel === undefined) {
    return typeColumn(subject, known);
  }
  const columns: (SecuredColumn & { readonly typeName: string })[] = [];
  for (const dataset of await catalog.datasets(datamodel.oid)) {
    for (const table of await catalog.tables(datamodel.oid, dataset.oid)) {
      for (const column of table.columns ?? []) {
        const datatype = ruleDatatype(column.type);
        if (datatype !== undefined) {
          const typeName = columnType(column.type)?.name ?? '';
          columns.push({ table: tableName(table), column: columnName(column), datatype, typeName });
        }
      }
    }
  }
  const given = columns.find(({ table, column }) => table === known?.table && column === known.column);
  if (known?.isThere === true && given === undefined) {
    await showInformation(
      t('{0} cannot carry a rule: only columns of text or numbers can.', `${known.table}.${known.column}`),
    );
    return undefined;
  }
  return (
    given ??
    chooseFrom(columns, {
      title: t('New Rule in {0}', subjectTitle(subject)),
      placeholder: t('Column to secure'),
      none: t('{0} has no column of text or numbers that could carry a rule.', subjectTitle(subject)),
      label: ({ table, column }) => `${table}.${column}`,
      description: ({ typeName }) => typeName,
      always: true,
    })
  );
}

function typeColumn(
  subject: RuleSubject,
  known: NamedColumn | undefined,
): Promise<SecuredColumn | undefined> {
  const title = t('Column to secure in {0}', subjectTitle(subject));
  const problem = (value: string): string | undefined =>
    value.trim() === '' ? t('Enter a name.') : undefined;
  return runWizard<SecuredColumn>(
    [
      textStep('table', () => ({ title, prompt: t('Table, in the letter case of the platform'), problem })),
      textStep('column', () => ({ title, prompt: t('Column, in the letter case of the platform'), problem })),
      choiceStep<'datatype', SecuredColumn>('datatype', () => ({
        title,
        placeholder: t('What does it hold?'),
        items: [
          { label: t('Text'), value: 'text' },
          { label: t('Numbers'), value: 'numeric' },
        ],
      })),
    ],
    { table: known?.table ?? '', column: known?.column ?? '', datatype: 'text' },
  );
}

async function askRule(
  deps: ResourcesDeps,
  { connectionId }: Place,
  subject: RuleSubject,
  { table, column }: SecuredColumn,
): Promise<RuleForm | undefined> {
  // Whom rules are for already is what the names to choose from are learnt by.
  await learnNames(deps, connectionId, subject);
  const { client } = await deps.sessions.get(connectionId);
  const hidesNothing = subject.kind === 'live' && client.habits.showsLiveExclusion === false;
  const title = t('New Rule on {0}', plainText(`${table}.${column}`));
  const askParty = partyStep<RuleForm>(
    { deps, connectionId, title },
    ({ partyType }) => partyType === 'group',
  );
  const needsMembers = ({ grant }: RuleForm): boolean => grant === 'only' || grant === 'except';
  return runWizard<RuleForm>(
    [
      choiceStep<'partyType', RuleForm>('partyType', () => ({
        title,
        placeholder: t('Whom is it for?'),
        items: [
          { label: `$(organization) ${t('A group')}`, value: 'group' },
          { label: `$(person) ${t('A user')}`, value: 'user' },
          {
            label: `$(globe) ${t('Everyone else')}`,
            description: t('whoever has no rule of their own and none of a group'),
            value: 'default',
          },
        ],
      })),
      when(({ partyType }) => partyType !== 'default', askParty),
      choiceStep('grant', ({ partyType }) => ({
        title,
        placeholder: t('What may they see?'),
        items: grants(hidesNothing, partyType),
      })),
      when(
        needsMembers,
        textStep('members', ({ grant }) => ({
          title,
          prompt:
            grant === 'only'
              ? t('Values they see, separated by commas')
              : t('Values they do not see, separated by commas'),
          problem: (value) => (membersIn(value).length === 0 ? t('Enter a value.') : undefined),
        })),
      ),
    ],
    { partyType: 'group', party: '', grant: 'only', members: '' },
  );
}

/**
 * The default rule is everything or nothing (spec, "Kinds of rule").
 * @param hidesNothing the server shows live rules without `exclusionary`
 */
function grants(hidesNothing: boolean, partyType: RuleParty['type']): ChoiceItem<RuleGrant['kind']>[] {
  const all: ChoiceItem<RuleGrant['kind']>[] = [
    { label: t('Only certain values…'), value: 'only' },
    { label: t('All but certain values…'), value: 'except' },
    { label: t('Everything'), value: 'everything' },
    { label: t('Nothing'), value: 'nothing' },
  ];
  return all.filter(
    ({ value }) =>
      (partyType !== 'default' || value === 'everything' || value === 'nothing') &&
      (!hidesNothing || value !== 'except'),
  );
}

const grantOf = ({ grant, members }: RuleForm): RuleGrant =>
  grant === 'only' || grant === 'except' ? { kind: grant, members: membersIn(members) } : { kind: grant };

async function partyOf(
  deps: ResourcesDeps,
  connectionId: string,
  { partyType, party }: RuleForm,
): Promise<RuleParty | undefined> {
  if (partyType === 'default') {
    return { type: 'default' };
  }
  const found = await askWhoIsMeant(deps, connectionId, { type: partyType, text: party });
  return found && { type: partyType, id: found.id };
}

/** Values as they are listed; a value with a comma in it is written in the document. */
const membersIn = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((value) => value.trim())
      .filter((value) => value !== ''),
  ),
];
