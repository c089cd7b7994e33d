import * as vscode from 'vscode';
import type { JsonValue } from '../../base/json.ts';
import { livePrefix } from '../../contract/terms.ts';
import { viewpointQuestionSchema } from '../../webviews/protocol/formQuestionSchemas.ts';
import type { ViewpointQuestion } from '../../webviews/protocol/formQuestions.ts';
import { fromFormSchema } from '../../webviews/protocol/fromFormSchema.ts';
import { applyViewpointEdit } from '../../viewpoints/form/applyViewpointEdit.ts';
import { newColumn } from '../../viewpoints/form/newColumn.ts';
import { readColumn, readDatasource, readViewpoint } from '../../viewpoints/form/readViewpoint.ts';
import { rebaseViewpointEdit } from '../../viewpoints/form/rebaseEdit.ts';
import type { Datasource, ShareList, ViewpointEdit } from '../../viewpoints/form/viewpointEdit.ts';
import { viewpointEditSchema } from '../../viewpoints/form/viewpointEditSchema.ts';
import { lintDocument } from '../../viewpoints/lint/lint.ts';
import { problemTexts } from '../../viewpoints/lint/problem.ts';
import { Model } from '../../viewpoints/model.ts';
import type { AskContext, FormDefinition } from './definition.ts';
import type { FormsDeps } from './deps.ts';
import { identifiable, knownNames, learnPeople } from '../../connections/knownNames.ts';
import { pickColumns } from './pickColumns.ts';
import { pickDatamodel } from './pickDatamodel.ts';
import { pickNames } from './pickNames.ts';

/** The form of a viewpoint. */
export const viewpointDefinition: FormDefinition<ViewpointEdit, ViewpointQuestion> = {
  bundle: 'viewpointForm',
  empty: {},
  schema: fromFormSchema(viewpointEditSchema, viewpointQuestionSchema),
  apply: applyViewpointEdit,
  rebase: rebaseViewpointEdit,
  datamodelOf: (value) => readViewpoint(value).datasource.title,
  problems: (json, _value, catalog) =>
    lintDocument(json, new Model(catalog)).map(({ code, severity, path, reason, args }) => ({
      code,
      severity,
      message: vscode.l10n.t(problemTexts[reason], ...args),
      path,
    })),
  ask(question, context) {
    switch (question.kind) {
      case 'datamodel':
        return askDatamodel(context);
      case 'columns':
        return askColumns(question.at, context);
      case 'share':
        return askShare(question.list, context);
    }
  },
};

async function askDatamodel({ deps, connectionId }: AskContext): Promise<ViewpointEdit | undefined> {
  const datamodel = await pickDatamodel(deps, connectionId);
  if (datamodel === undefined) {
    return undefined;
  }
  const value = datasourceOf(datamodel, knownDatasources(deps, connectionId));
  return { kind: 'datasource', value };
}

/**
 * The datasource of a datamodel: as another viewpoint of the instance has it, since only `title` and `fullname` can
 * be told from the datamodel itself (spec, "ViewpointDetails").
 */
function datasourceOf(
  { title, isLive }: { readonly title: string; readonly isLive: boolean },
  known: readonly JsonValue[],
): Datasource {
  const same = known.map(readDatasource).find((datasource) => datasource.title === title);
  return (
    same ?? {
      title,
      fullname: isLive ? `${livePrefix}${title}` : `LocalHost/${title}`,
      modelType: isLive ? 'live' : 'external',
    }
  );
}

/** The datasources of the viewpoints that are known anyway. */
function knownDatasources({ sessions }: FormsDeps, connectionId: string | undefined): readonly JsonValue[] {
  const session = connectionId === undefined ? undefined : sessions.peek(connectionId);
  const viewpoints = session?.catalog.known.viewpoints ?? [];
  return viewpoints.flatMap(({ details }) => (details?.datasource ?? []) as JsonValue | []);
}

async function askColumns(at: number, { value, model }: AskContext): Promise<ViewpointEdit | undefined> {
  const used = new Set(
    readViewpoint(value)
      .columns.map(readColumn)
      .map(({ table, column }) => JSON.stringify([table, column])),
  );
  const picked = await pickColumns(model, {
    title: vscode.l10n.t('Add Columns'),
    isMany: true,
    isUsed: (table, column) => used.has(JSON.stringify([table, column])),
  });
  if (picked === undefined || picked.length === 0) {
    return undefined;
  }
  const columns = picked.map(({ table, column }) => newColumn(table, column));
  return { kind: 'addColumns', at: Math.min(at, readViewpoint(value).columns.length), columns };
}

async function askShare(
  list: ShareList,
  { deps, value, connectionId }: AskContext,
): Promise<ViewpointEdit | undefined> {
  const shared = new Set(readViewpoint(value)[list].values);
  await learnPeople(deps, connectionId);
  const names = knownNames(deps, connectionId);
  // Groups are named by name or by id, users by their identifiers alone (spec, "ViewpointVisibility").
  const known = (list === 'users' ? identifiable(names.users) : names[list]).filter(
    ({ id, name }) => !shared.has(id) && !shared.has(name),
  );
  const name = await pickNames(deps, {
    ...shareWords[list](),
    known,
    ...(list === 'apps' ? {} : { party: list === 'groups' ? 'group' : 'user' }),
    connectionId,
  });
  if (name === undefined) {
    return undefined;
  }
  const { values } = readViewpoint(value)[list];
  // The name of a group is what people can read.
  const entry = list === 'groups' ? name.name : name.id;
  return { kind: 'share', list, values: values.includes(entry) ? values : [...values, entry] };
}

const shareWords = {
  apps: () => ({
    title: vscode.l10n.t('Share with App'),
    placeholder: vscode.l10n.t('An app that was seen on the instance, or its name'),
    icon: 'extensions',
  }),
  groups: () => ({
    title: vscode.l10n.t('Share with Group'),
    placeholder: vscode.l10n.t('A group: name or ID'),
    icon: 'organization',
  }),
  users: () => ({
    title: vscode.l10n.t('Share with User'),
    placeholder: vscode.l10n.t('A user: name, e-mail address or ID'),
    icon: 'person',
  }),
};
