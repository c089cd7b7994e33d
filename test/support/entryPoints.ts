import type * as z from 'zod';
import { newBuildSchema } from '../../src/contract/build.ts';
import {
  datasetChangeSchema,
  newDatamodelSchema,
  newDatasetSchema,
  relationInputSchema,
} from '../../src/contract/datamodel.ts';
import type { EndpointId } from '../../src/contract/endpoints.ts';
import { extractRuleSchema, liveRuleSchema } from '../../src/contract/rule.ts';
import { columnSchema, newTableSchema } from '../../src/contract/table.ts';
import {
  infusionSchema,
  newViewpointSchema,
  viewpointColumnSchema,
  viewpointDetailsSchema,
  viewpointSearchSchema,
  viewpointVisibilitySchema,
} from '../../src/contract/viewpoint.ts';

/**
 * Where a user reaches an endpoint or a field: a command without the prefix `datamodelStudio.`, a view, a page (its
 * folder in `src/webviews`), a form, or a document (its kind).
 */
export type EntryPoint = string;

const explorer = 'view:explorer';
const ruleChanges: readonly EntryPoint[] = [
  'resources.newRule',
  'access.editMatrix',
  'rules.import',
  'rules.copy',
];
const ruleReads: readonly EntryPoint[] = [explorer, 'access.open', 'access.editMatrix', 'rules.export'];

/** Where users reach each endpoint. */
export const endpointEntryPoints: Readonly<Record<EndpointId, readonly EntryPoint[]>> = {
  'session.check': ['connections.add', 'connections.signIn', 'connections.test'],
  'groups.find': ['resources.newRule', 'form:ruleForm', 'page:ruleMatrix', 'page:access', 'viewpoints.share'],
  'groups.list': ['resources.newRule', 'access.open', 'access.editMatrix', 'viewpoints.share'],
  'users.list': ['resources.newRule', 'access.open', 'access.editMatrix', 'viewpoints.share'],
  'extractRules.list': ruleReads,
  'extractRules.listByColumn': ['document:columnRules'],
  'extractRules.listByUser': ['access.open'],
  'extractRules.createMany': ['rules.addToSeveral'],
  'extractRules.create': ruleChanges,
  'extractRules.update': ['document:rule', 'form:ruleForm', 'access.editMatrix', 'rename.start'],
  'extractRules.deleteByColumn': ['resources.delete'],
  'extractRules.delete': ['resources.delete', 'access.editMatrix', 'rules.import'],
  'liveRules.list': ruleReads,
  'liveRules.create': ruleChanges,
  'liveRules.createMany': ruleChanges,
  'liveRules.delete': ['resources.delete', 'access.editMatrix', 'document:rule'],
  'liveRules.deleteByColumn': ['resources.delete'],
  'datamodels.list': [explorer, 'find.open', 'resources.changeConnection'],
  'datamodels.get': [explorer, 'document:datamodel', 'diagram.open'],
  'datamodels.create': ['resources.newDatamodel'],
  'datamodels.delete': ['resources.delete'],
  'datasets.list': [explorer],
  'datasets.get': ['document:dataset'],
  'datasets.create': ['resources.newDataset'],
  'datasets.update': ['resources.changeConnection', 'document:dataset'],
  'datasets.delete': ['resources.delete'],
  'tables.list': [explorer],
  'tables.get': ['document:table', 'explorer.openExpression'],
  'tables.create': ['resources.newTable', 'resources.newCustomTable', 'resources.duplicate'],
  'tables.update': [
    'document:table',
    'document:tableExpression',
    'resources.hide',
    'resources.unhide',
    'resources.editDescription',
    'resources.buildBehaviour',
    'resources.newCustomColumn',
    'rename.start',
  ],
  'tables.delete': ['resources.delete'],
  'relations.list': [explorer, 'resources.extendRelation'],
  'relations.get': ['document:relation'],
  'relations.create': ['resources.newRelation', 'diagram.relate'],
  'relations.update': ['resources.extendRelation', 'document:relation'],
  'relations.delete': ['resources.delete'],
  'builds.list': ['builds.show', 'builds.look', explorer],
  'builds.start': ['builds.start', 'builds.publish', 'builds.several', 'builds.again'],
  'builds.cancelAll': ['builds.cancelAll'],
  'builds.get': ['builds.openTask'],
  'builds.cancel': ['builds.cancel'],
  'customData.list': [explorer, 'customData.open'],
  'customData.query': ['page:customData'],
  'customData.create': ['resources.newCustomData'],
  'customData.updateMatching': ['resources.changeCustomData', 'document:customDataObject', 'page:customData'],
  'customData.deleteMatching': ['resources.deleteCustomData', 'resources.delete', 'page:customData'],
  'viewpoints.status': ['connections.test', explorer],
  'viewpoints.list': [explorer, 'explorer.selectTenant', 'find.viewpoints', 'find.open'],
  'viewpoints.get': ['document:viewpoint', 'form:viewpointForm'],
  'viewpoints.create': ['resources.newViewpoint', 'resources.duplicate'],
  'viewpoints.update': [
    'form:viewpointForm',
    'document:viewpoint',
    'viewpoints.publish',
    'viewpoints.unpublish',
    'viewpoints.share',
    'rename.start',
    'rename.start',
  ],
  'viewpoints.delete': ['resources.delete'],
};

interface BodyEntryPoints {
  readonly schema: z.ZodObject;
  /** Where each field of the schema is entered or chosen; `server` for a field that only the server sets. */
  readonly fields: Readonly<Record<string, readonly EntryPoint[] | 'server'>>;
}

const viewpointForm: readonly EntryPoint[] = ['form:viewpointForm', 'document:viewpoint'];
const onlyViewpointDocument: readonly EntryPoint[] = ['document:viewpoint'];
const onlyTableDocument: readonly EntryPoint[] = ['document:table'];
const ruleForms: readonly EntryPoint[] = [
  'resources.newRule',
  'form:ruleForm',
  'access.editMatrix',
  'rules.import',
];
const viewpointSearch: readonly EntryPoint[] = ['find.viewpoints'];
const commonRuleFields = {
  _id: 'server',
  table: ruleForms,
  column: ruleForms,
  datatype: ruleForms,
  members: ruleForms,
  allMembers: ruleForms,
  exclusionary: ruleForms,
  shares: ruleForms,
} as const;

/** Where users enter or choose the fields of each request body. */
export const bodyEntryPoints: Readonly<Record<string, BodyEntryPoints>> = {
  Datamodel: {
    schema: newDatamodelSchema,
    fields: { title: ['resources.newDatamodel'], type: ['resources.newDatamodel'] },
  },
  'New dataset': {
    schema: newDatasetSchema,
    fields: {
      name: ['resources.newDataset'],
      type: ['resources.newDataset'],
      connection: ['resources.newDataset'],
    },
  },
  'Changed dataset': {
    schema: datasetChangeSchema,
    fields: { connection: ['resources.changeConnection', 'document:dataset'] },
  },
  Table: {
    schema: newTableSchema,
    fields: {
      id: ['resources.newTable', 'document:table'],
      name: ['resources.newTable', 'rename.start', 'document:table'],
      description: ['resources.editDescription', 'document:table'],
      type: ['resources.newTable', 'resources.newCustomTable'],
      columns: ['resources.newTable', 'document:table'],
      expression: ['explorer.openExpression', 'document:tableExpression'],
      buildBehavior: ['resources.buildBehaviour', 'document:table'],
      configOptions: ['resources.editConnectorOptions', 'document:table'],
      hidden: ['resources.hide', 'resources.unhide'],
      tags: onlyTableDocument,
    },
  },
  'Column of a table': {
    schema: columnSchema,
    fields: {
      oid: 'server',
      id: onlyTableDocument,
      name: ['rename.start', 'document:table'],
      type: ['resources.newTable', 'resources.newCustomColumn', 'document:table'],
      size: onlyTableDocument,
      precision: onlyTableDocument,
      scale: onlyTableDocument,
      hidden: ['resources.hide', 'resources.unhide'],
      isCustom: ['resources.newCustomColumn'],
      expression: ['resources.newCustomColumn', 'explorer.openExpression'],
      description: ['resources.editDescription', 'document:table'],
    },
  },
  Relation: {
    schema: relationInputSchema,
    fields: { columns: ['resources.newRelation', 'resources.extendRelation', 'document:relation'] },
  },
  Build: {
    schema: newBuildSchema,
    fields: {
      datamodelId: ['builds.start', 'builds.several'],
      buildType: ['builds.start', 'builds.publish', 'builds.several'],
      schemaOrigin: ['builds.start'],
      rowLimit: ['builds.start', 'builds.several'],
    },
  },
  'Extract rule': {
    schema: extractRuleSchema,
    fields: { ...commonRuleFields, server: ['rules.addToSeveral'], elasticube: ['rules.addToSeveral'] },
  },
  'Live rule': {
    schema: liveRuleSchema,
    fields: { ...commonRuleFields, dataSourceId: 'server', fullname: ruleForms, live: ruleForms },
  },
  Viewpoint: {
    schema: newViewpointSchema,
    fields: {
      name: ['resources.newViewpoint', 'rename.start', ...viewpointForm],
      description: ['resources.newViewpoint', ...viewpointForm],
      details: viewpointForm,
      visibility: ['viewpoints.share', ...viewpointForm],
    },
  },
  'Details of a viewpoint': {
    schema: viewpointDetailsSchema,
    fields: { datasource: viewpointForm, columns: ['forms.addColumns', ...viewpointForm] },
  },
  'Visibility of a viewpoint': {
    schema: viewpointVisibilitySchema,
    fields: {
      apps: ['viewpoints.share', ...viewpointForm],
      groups: ['viewpoints.share', ...viewpointForm],
      users: ['viewpoints.share', ...viewpointForm],
      enabled: ['viewpoints.publish', 'viewpoints.unpublish', ...viewpointForm],
    },
  },
  'Column of a viewpoint': {
    schema: viewpointColumnSchema,
    fields: {
      table: viewpointForm,
      column: viewpointForm,
      dim: viewpointForm,
      datatype: viewpointForm,
      title: viewpointForm,
      level: viewpointForm,
      agg: viewpointForm,
      filter: viewpointForm,
      format: viewpointForm,
      sort: viewpointForm,
      infusion: viewpointForm,
      filterOnly: onlyViewpointDocument,
    },
  },
  'Infusion of a column': {
    schema: infusionSchema,
    fields: {
      visible: onlyViewpointDocument,
      uid: viewpointForm,
      defaultMeasure: viewpointForm,
      defaultDate: viewpointForm,
      header: viewpointForm,
      hyperlink: onlyViewpointDocument,
      aliases: onlyViewpointDocument,
      filterOnly: viewpointForm,
    },
  },
  'Search for viewpoints': {
    schema: viewpointSearchSchema,
    fields: {
      id: viewpointSearch,
      name: viewpointSearch,
      description: viewpointSearch,
      text: viewpointSearch,
      lastUpdate: viewpointSearch,
      visibility: viewpointSearch,
      details: viewpointSearch,
    },
  },
};
