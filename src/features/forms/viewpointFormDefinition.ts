import * as vscode from 'vscode';
import type { JsonValue } from '../../base/json.ts';
import { viewpointQuestionSchema } from '../../webviews/protocol/formQuestionSchemas.ts';
import type { ViewpointQuestion } from '../../webviews/protocol/formQuestions.ts';
import { createFormMessageSchema } from '../../webviews/protocol/createFormMessageSchema.ts';
import { applyViewpointEdit } from '../../viewpoints/form/applyViewpointEdit.ts';
import { createViewpointColumn } from '../../viewpoints/form/createViewpointColumn.ts';
import { createDatasource, findOrCreateDatasource } from '../../viewpoints/form/createDatasource.ts';
import { readColumn, readViewpoint } from '../../viewpoints/form/readViewpoint.ts';
import { rebaseViewpointEdit } from '../../viewpoints/form/rebaseEdit.ts';
import type { ShareList, ViewpointEdit } from '../../viewpoints/form/viewpointEdit.ts';
import { viewpointEditSchema } from '../../viewpoints/form/viewpointEditSchema.ts';
import { lintParsedViewpoint } from '../../viewpoints/lint/lint.ts';
import { formatViewpointProblem } from '../../viewpoints/lint/formatViewpointProblem.ts';
import { DatamodelLookup } from '../../viewpoints/datamodelLookup.ts';
import type { QuestionContext, FormDefinition } from './formDefinition.ts';
import type { FormsDeps } from './deps.ts';
import { pickColumns } from './pickColumns.ts';
import { pickName } from '../../platform/pickName.ts';
import { pickFormDatamodel } from './pickDatamodel.ts';

/** The definition of the form for viewpoints. */
export const viewpointFormDefinition: FormDefinition<ViewpointEdit, ViewpointQuestion> = {
  bundle: 'viewpointForm',
  emptyValue: {},
  schema: createFormMessageSchema(viewpointEditSchema, viewpointQuestionSchema),
  apply: applyViewpointEdit,
  rebase: rebaseViewpointEdit,
  getDatamodelTitle: (value) => readViewpoint(value).datasource.title,
  validate: (json, _value, catalog) =>
    lintParsedViewpoint(json, new DatamodelLookup(catalog)).map((problem) => ({
      code: problem.code,
      severity: problem.severity,
      message: formatViewpointProblem(vscode.l10n.t, problem),
      path: problem.path,
    })),
  prompt(question, context) {
    switch (question.kind) {
      case 'datamodel':
        return promptForDatamodel(context);
      case 'columns':
        return promptForColumns(question.insertIndex, context);
      case 'share':
        return promptForShare(question.list, context);
    }
  },
};

async function promptForDatamodel({ deps, source }: QuestionContext): Promise<ViewpointEdit | undefined> {
  const datamodel = await pickFormDatamodel(deps, source);
  if (datamodel === undefined) {
    return undefined;
  }
  if (source.isInProject) {
    const { title, modelType } = createDatasource(datamodel);
    return { kind: 'datasource', value: { title, modelType } };
  }
  const value = findOrCreateDatasource(datamodel, getKnownDatasources(deps, source.connectionId));
  return { kind: 'datasource', value };
}

/** Returns the datasources of the cached viewpoints. */
function getKnownDatasources(
  { sessions }: FormsDeps,
  connectionId: string | undefined,
): readonly JsonValue[] {
  const session = connectionId === undefined ? undefined : sessions.peek(connectionId);
  const viewpoints = session?.catalog.knownResources.viewpoints ?? [];
  return viewpoints.flatMap(({ details }) => (details?.datasource ?? []) as JsonValue | []);
}

async function promptForColumns(
  index: number,
  { value, model }: QuestionContext,
): Promise<ViewpointEdit | undefined> {
  const usedColumns = new Set(
    readViewpoint(value)
      .columns.map(readColumn)
      .map(({ table, column }) => JSON.stringify([table, column])),
  );
  const pickedColumns = await pickColumns(model, {
    title: vscode.l10n.t('Add Columns'),
    canPickMany: true,
    isUsed: (table, column) => usedColumns.has(JSON.stringify([table, column])),
  });
  if (pickedColumns === undefined || pickedColumns.length === 0) {
    return undefined;
  }
  const columns = pickedColumns.map(({ table, column }) => createViewpointColumn(table, column));
  return { kind: 'addColumns', insertIndex: Math.min(index, readViewpoint(value).columns.length), columns };
}

async function promptForShare(
  list: ShareList,
  { deps, value, source }: QuestionContext,
): Promise<ViewpointEdit | undefined> {
  const sharedNames = new Set(readViewpoint(value)[list].values);
  // Groups are identified by name or ID, users only by ID (rest-api.md, "ViewpointVisibility").
  const names = await source.loadNames({ needsGroupIds: false });
  const candidates = names[list].filter(({ id, name }) => !sharedNames.has(id) && !sharedNames.has(name));
  const name = await pickName(deps, {
    ...shareLabels[list](),
    knownNames: candidates,
    // In a project, users and groups are identified by name only, so none has to be looked up.
    ...(list === 'apps' || source.isInProject ? {} : { party: list === 'groups' ? 'group' : 'user' }),
    connectionId: source.connectionId,
  });
  if (name === undefined) {
    return undefined;
  }
  const { values } = readViewpoint(value)[list];
  // Names of groups are stored because they are readable; IDs are not.
  const entry = list === 'groups' ? name.name : name.id;
  return { kind: 'share', list, values: values.includes(entry) ? values : [...values, entry] };
}

const shareLabels = {
  apps: () => ({
    title: vscode.l10n.t('Share with App'),
    placeholder: vscode.l10n.t('Select a known app or enter its name'),
    icon: 'extensions',
  }),
  groups: () => ({
    title: vscode.l10n.t('Share with Group'),
    placeholder: vscode.l10n.t('Group name or ID'),
    icon: 'organization',
  }),
  users: () => ({
    title: vscode.l10n.t('Share with User'),
    placeholder: vscode.l10n.t('User name, email address, or ID'),
    icon: 'person',
  }),
};
