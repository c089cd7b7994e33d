import type { ResourceRef } from './catalog/resourceRef.ts';
import type { RuleSubject } from './catalog/ruleSubject.ts';
import type { DatamodelType } from './contract/datamodel.ts';

/** The target of a command on a connection. Nodes of the tree implement it. */
export interface ConnectionTarget {
  readonly connectionId: string;
}

/** The target of a command on a datamodel. Nodes of the tree implement it. */
export interface DatamodelTarget {
  readonly connectionId: string;
  readonly datamodelId: string;
  readonly title: string;
  readonly type: DatamodelType;
}

/** The target of a command on a resource of any kind. */
export interface ResourceTarget {
  readonly connectionId: string;
  readonly resource: ResourceRef;
  readonly name: string;
  /** The names of the resource's containers, outermost first. */
  readonly within: readonly string[];
  /** Opens the resource as text regardless of the setting `documents.openAs`. */
  readonly openAs?: 'text';
  /** Opens it in a tab that the next opened resource does not replace. */
  readonly keepsTab?: boolean;
  /** Leaves the keyboard focus where it is. */
  readonly keepsFocus?: boolean;
  /** The value to select in its text, or the nearest one that exists. */
  readonly path?: readonly (string | number)[];
  /** Members to change in its document, which is left unsaved. */
  readonly unsavedMembers?: Readonly<Record<string, string>>;
}

/** The target of a command on columns, or on all columns of a table. Nodes of the tree implement it. */
export interface ColumnsTarget {
  readonly connectionId?: string;
  readonly resource?: ResourceRef;
  readonly reference?: { readonly table: string; readonly column?: string };
}

/** The URI of a file or document, as passed by the menus of its tab, its editor and VS Code's Explorer. */
export interface UriTarget {
  toString(): string;
}

/** A node of the Connections view, as passed by menus. */
export interface NodeTarget {
  readonly id: string;
}

/** A tree node, as passed by menus: its resource, and the nodes that contain it. */
export interface TreeTarget {
  readonly parent?: TreeTarget | undefined;
  /** The datamodel of a node that isn't below the node of its datamodel, such as a pin. */
  readonly datamodelTarget?: TreeTarget | undefined;
  readonly connectionId?: string;
  readonly resource?: ResourceRef;
  /** The name of the resource, which is not always the node's label. */
  readonly name?: string;
}

/**
 * What is known about a new relation: the tables that it links (its ends), each with or without its column. The user is
 * asked for what is missing.
 */
export interface RelationEnds {
  readonly ends?: readonly { readonly table: string; readonly column?: string | undefined }[] | undefined;
}

/** The target of the command that creates a relation. */
export interface RelationTarget extends TreeTarget, RelationEnds {
  /** Skips revealing the new relation, for a caller that already shows it. */
  readonly skipReveal?: boolean;
}

/** The target of the command that creates a relation in a diagram, as passed by the menu of the diagram. */
export interface DiagramRelationTarget extends RelationEnds {
  readonly connectionId: string;
  readonly datamodelId: string;
  readonly title: string;
}

/** The target of a command on a cube set. Nodes of the tree implement it. */
export interface CubeSetTarget extends ConnectionTarget {
  readonly cubeSet: { readonly name: string; readonly server: string };
}

/** The target of a command on the rules of a datamodel or cube set. Nodes of the tree implement it. */
export interface SubjectTarget extends ConnectionTarget {
  readonly subject: RuleSubject;
}

/** The target of a command on a build task. */
export interface BuildTarget {
  readonly connectionId: string;
  readonly oid: string;
}

/** The target of a command on an entry of the history. Nodes of the history tree implement it. */
export interface HistoryTarget extends ConnectionTarget {
  readonly entryId?: string;
}

/**
 * What a file suggests for a new connection. The file may belong to someone else, so the user sees the address before
 * it gets a token.
 */
export interface ConnectionSuggestion {
  readonly url: string;
  readonly role?: string | undefined;
  readonly name: string;
  readonly tenantId?: string | undefined;
  /** The path of the file, as shown to the user. */
  readonly source: string;
}

/** A document stored in an entry of the history. */
export interface HistoryDocumentTarget extends HistoryTarget {
  /** The index of the document in the entry. */
  readonly documentIndex: number;
}

/** Every command of the extension, with the arguments that menus and code pass; the Command Palette passes none. */
export interface Commands {
  'datamodelStudio.sandbox.start': [];
  'datamodelStudio.sandbox.stop': [];
  'datamodelStudio.connections.add': [suggestion?: ConnectionSuggestion];
  'datamodelStudio.connections.edit': [target?: ConnectionTarget];
  'datamodelStudio.connections.editWebLinks': [target?: ConnectionTarget];
  'datamodelStudio.connections.remove': [target?: ConnectionTarget];
  'datamodelStudio.connections.signIn': [target?: ConnectionTarget];
  'datamodelStudio.connections.signOut': [target?: ConnectionTarget];
  'datamodelStudio.connections.unlock': [target?: ConnectionTarget];
  'datamodelStudio.connections.lock': [target?: ConnectionTarget];
  'datamodelStudio.connections.test': [target?: ConnectionTarget];
  'datamodelStudio.connections.switch': [];
  'datamodelStudio.connections.export': [];
  'datamodelStudio.connections.import': [];
  'datamodelStudio.explorer.refresh': [node?: { readonly id: string }];
  'datamodelStudio.explorer.loadMore': [node?: { readonly id: string; loadMore(): Promise<unknown> }];
  'datamodelStudio.explorer.filter': [];
  'datamodelStudio.explorer.clearFilter': [];
  'datamodelStudio.explorer.groupViewpoints': [];
  'datamodelStudio.explorer.listViewpoints': [];
  'datamodelStudio.explorer.pin': [node?: NodeTarget, all?: readonly NodeTarget[]];
  'datamodelStudio.explorer.unpin': [node?: NodeTarget, all?: readonly NodeTarget[]];
  'datamodelStudio.explorer.copyName': [node?: NodeTarget, all?: readonly NodeTarget[]];
  'datamodelStudio.explorer.copyId': [node?: NodeTarget, all?: readonly NodeTarget[]];
  'datamodelStudio.explorer.copyPath': [node?: NodeTarget, all?: readonly NodeTarget[]];
  'datamodelStudio.explorer.copyReference': [node?: NodeTarget, all?: readonly NodeTarget[]];
  'datamodelStudio.explorer.copyLink': [node?: NodeTarget, all?: readonly NodeTarget[]];
  'datamodelStudio.explorer.open': [node?: NodeTarget, all?: readonly NodeTarget[]];
  /** Opens what a row shows as a click on the row does. */
  'datamodelStudio.explorer.openRow': [node: NodeTarget];
  'datamodelStudio.explorer.openInBrowser': [node?: NodeTarget];
  'datamodelStudio.explorer.openJson': [node?: NodeTarget, all?: readonly NodeTarget[]];
  'datamodelStudio.explorer.reveal': [target?: ResourceTarget];
  'datamodelStudio.explorer.selectTenant': [target?: ConnectionTarget];
  'datamodelStudio.explorer.addCubeSet': [target?: ConnectionTarget];
  'datamodelStudio.explorer.removeCubeSet': [target?: CubeSetTarget];
  'datamodelStudio.explorer.openExpression': [node?: NodeTarget, all?: readonly NodeTarget[]];
  'datamodelStudio.jsonLanguage.checkAll': [target?: ConnectionTarget];
  'datamodelStudio.jsonViews.open': [target?: ResourceTarget];
  'datamodelStudio.documents.open': [target?: ResourceTarget];
  'datamodelStudio.documents.merge': [file?: UriTarget];
  'datamodelStudio.documents.compare': [file?: UriTarget];
  'datamodelStudio.compare.start': [target?: TreeTarget | UriTarget];
  'datamodelStudio.documents.saveCopy': [file?: UriTarget];
  'datamodelStudio.documents.send': [file?: UriTarget];
  'datamodelStudio.resources.newDatamodel': [node?: TreeTarget];
  'datamodelStudio.resources.newDataset': [node?: TreeTarget];
  'datamodelStudio.resources.newTable': [node?: TreeTarget];
  'datamodelStudio.resources.newCustomTable': [node?: TreeTarget];
  'datamodelStudio.resources.newCustomColumn': [node?: TreeTarget];
  'datamodelStudio.resources.newRelation': [node?: RelationTarget];
  'datamodelStudio.resources.newRule': [node?: TreeTarget];
  'datamodelStudio.resources.newViewpoint': [node?: TreeTarget];
  'datamodelStudio.resources.newCustomData': [node?: TreeTarget];
  'datamodelStudio.resources.changeCustomData': [node?: TreeTarget];
  'datamodelStudio.resources.deleteCustomData': [node?: TreeTarget];
  'datamodelStudio.resources.buildBehaviour': [node?: TreeTarget];
  'datamodelStudio.resources.editDescription': [node?: TreeTarget];
  'datamodelStudio.resources.editConnectorOptions': [node?: TreeTarget];
  'datamodelStudio.resources.changeConnection': [node?: TreeTarget];
  'datamodelStudio.resources.extendRelation': [node?: TreeTarget];
  'datamodelStudio.resources.duplicate': [node?: TreeTarget];
  'datamodelStudio.resources.delete': [node?: TreeTarget, all?: readonly TreeTarget[]];
  'datamodelStudio.resources.hide': [node?: TreeTarget, all?: readonly TreeTarget[]];
  'datamodelStudio.resources.unhide': [node?: TreeTarget, all?: readonly TreeTarget[]];
  'datamodelStudio.find.open': [];
  'datamodelStudio.find.viewpoints': [target?: ConnectionTarget];
  'datamodelStudio.builds.start': [target?: DatamodelTarget];
  'datamodelStudio.builds.publish': [target?: DatamodelTarget];
  'datamodelStudio.builds.replaceAll': [target?: DatamodelTarget];
  'datamodelStudio.builds.byTable': [target?: DatamodelTarget];
  'datamodelStudio.builds.changesOnly': [target?: DatamodelTarget];
  'datamodelStudio.builds.sample': [target?: DatamodelTarget];
  'datamodelStudio.builds.options': [target?: DatamodelTarget];
  'datamodelStudio.builds.cancel': [target?: BuildTarget];
  'datamodelStudio.builds.cancelAll': [target?: DatamodelTarget | BuildTarget];
  'datamodelStudio.builds.show': [];
  'datamodelStudio.builds.again': [target?: BuildTarget];
  'datamodelStudio.builds.openTable': [target?: BuildTarget];
  'datamodelStudio.builds.openTask': [target?: BuildTarget];
  'datamodelStudio.builds.look': [];
  'datamodelStudio.builds.several': [target?: ConnectionTarget];
  'datamodelStudio.builds.history': [];
  'datamodelStudio.builds.exportHistory': [];
  'datamodelStudio.viewpoints.publish': [node?: TreeTarget, all?: readonly TreeTarget[]];
  'datamodelStudio.viewpoints.unpublish': [node?: TreeTarget, all?: readonly TreeTarget[]];
  'datamodelStudio.viewpoints.share': [node?: TreeTarget];
  'datamodelStudio.forms.openForm': [uri?: UriTarget];
  'datamodelStudio.forms.openText': [uri?: UriTarget];
  'datamodelStudio.forms.addColumns': [node?: ColumnsTarget, all?: readonly ColumnsTarget[]];
  'datamodelStudio.sql.pickDatamodel': [];
  'datamodelStudio.sql.checkExpression': [];
  'datamodelStudio.sql.openExpression': [];
  'datamodelStudio.history.show': [target?: HistoryTarget];
  'datamodelStudio.history.undoLast': [];
  'datamodelStudio.history.undo': [target?: HistoryTarget];
  'datamodelStudio.history.restore': [target?: HistoryTarget];
  'datamodelStudio.history.compare': [target?: HistoryDocumentTarget];
  'datamodelStudio.history.finish': [target?: HistoryTarget];
  'datamodelStudio.history.rollBack': [target?: HistoryTarget];
  'datamodelStudio.history.abandon': [target?: HistoryTarget];
  'datamodelStudio.history.refresh': [];
  'datamodelStudio.rename.start': [node?: TreeTarget, newNameOrSelection?: string | readonly TreeTarget[]];
  'datamodelStudio.access.open': [target?: SubjectTarget];
  'datamodelStudio.access.openFiles': [uri?: UriTarget];
  'datamodelStudio.access.editMatrix': [target?: SubjectTarget];
  'datamodelStudio.access.editFileMatrix': [uri?: UriTarget];
  'datamodelStudio.ruleMatrix.apply': [];
  'datamodelStudio.access.check': [target?: ConnectionTarget];
  'datamodelStudio.access.importMembership': [target?: ConnectionTarget];
  'datamodelStudio.access.clearMembership': [target?: ConnectionTarget];
  'datamodelStudio.diagram.open': [node?: TreeTarget];
  'datamodelStudio.diagram.openFiles': [uri?: UriTarget];
  'datamodelStudio.diagram.relate': [target?: DiagramRelationTarget];
  'datamodelStudio.start.open': [];
  'datamodelStudio.start.reportIssue': [];
  'datamodelStudio.customData.open': [target?: ConnectionTarget];
  'datamodelStudio.projects.pull': [node?: TreeTarget];
  'datamodelStudio.projects.refresh': [...targets: readonly unknown[]];
  'datamodelStudio.projects.compare': [...targets: readonly unknown[]];
  'datamodelStudio.projects.update': [...targets: readonly unknown[]];
  'datamodelStudio.menus.projects.update': [...targets: readonly unknown[]];
  'datamodelStudio.projects.plan': [...targets: readonly unknown[]];
  'datamodelStudio.menus.projects.plan': [...targets: readonly unknown[]];
  'datamodelStudio.projects.apply': [...targets: readonly unknown[]];
  'datamodelStudio.menus.projects.apply': [...targets: readonly unknown[]];
  'datamodelStudio.projects.create': [];
  'datamodelStudio.projects.resolveConflicts': [...targets: readonly unknown[]];
  'datamodelStudio.projects.completeMerge': [];
  'datamodelStudio.projects.openFile': [...rows: readonly unknown[]];
  'datamodelStudio.projects.selectEnvironment': [];
  'datamodelStudio.menus.projects.refresh': [...targets: readonly unknown[]];
  'datamodelStudio.menus.projects.compare': [...targets: readonly unknown[]];
  'datamodelStudio.rules.import': [target?: SubjectTarget];
  'datamodelStudio.rules.export': [target?: SubjectTarget];
  'datamodelStudio.rules.copy': [target?: SubjectTarget];
  'datamodelStudio.rules.addToSeveral': [node?: TreeTarget];
  'datamodelStudio.rules.replaceParty': [target?: ConnectionTarget];
  'datamodelStudio.log.show': [];
  'datamodelStudio.menus.refresh': [node?: { readonly id: string }];
  'datamodelStudio.menus.compare': [node?: TreeTarget];
  'datamodelStudio.menus.newDataset': [node?: TreeTarget];
  'datamodelStudio.menus.newTable': [node?: TreeTarget];
  'datamodelStudio.menus.newCustomTable': [node?: TreeTarget];
  'datamodelStudio.menus.newCustomColumn': [node?: TreeTarget];
  'datamodelStudio.menus.newRelation': [node?: RelationTarget];
  'datamodelStudio.menus.newRule': [node?: TreeTarget];
  'datamodelStudio.menus.newViewpoint': [node?: TreeTarget];
  'datamodelStudio.menus.editDescription': [node?: TreeTarget];
  'datamodelStudio.menus.editConnectorOptions': [node?: TreeTarget];
}
export type CommandId = keyof Commands;

/** The custom editors that the manifest contributes, by form. */
export const formEditors = {
  viewpoint: 'datamodelStudio.viewpointForm',
  rule: 'datamodelStudio.ruleForm',
  ruleSet: 'datamodelStudio.ruleSetForm',
} as const;
export type FormName = keyof typeof formEditors;

/** The views that the manifest contributes. */
export const views = {
  explorer: 'datamodelStudio.explorer',
  builds: 'datamodelStudio.builds',
  history: 'datamodelStudio.history',
} as const;

/** The webview panels that the manifest refers to, in menus or to restore them after a reload. */
export const webviews = {
  diagram: 'datamodelStudio.diagram',
  ruleMatrix: 'datamodelStudio.ruleMatrix',
  access: 'datamodelStudio.access',
  customData: 'datamodelStudio.customData',
} as const;

/** Context keys used in `when` clauses of the manifest. */
export const contextKeys = { sqlOnSandbox: 'datamodelStudio.sql.onSandbox' } as const;

/** The URI schemes of the extension. */
export const schemes = {
  /** Resources of an instance as documents. */
  document: 'datamodel',
  /** The server's versions of changed documents. */
  serverVersion: 'datamodel-server',
  /** Read-only views of other resources. */
  view: 'datamodel-view',
  /** Nodes of trees, which get decorations by their URI. */
  node: 'datamodel-node',
  /** JSON schemas. */
  schema: 'datamodel-schema',
  /** Documents in the history. */
  history: 'datamodel-history',
  /** The sides of comparisons. */
  comparison: 'datamodel-comparison',
  /** The instance's versions of the files in a project, and reports. */
  projectVersion: 'datamodel-project',
  /** The results of merging project files. */
  projectMerge: 'datamodel-project-merge',
} as const;

/**
 * The languages that the manifest contributes: SQL in files, and the SQL and JSON of documents on a server, for which
 * auto save is off (decisions.md, "Documents").
 */
export const languages = {
  sql: 'datamodel-sql',
  documentSql: 'datamodel-document-sql',
  documentJson: 'datamodel-document-json',
} as const;

/** The source shown for diagnostics of SQL. */
export const sqlDiagnosticSource = 'datamodel-sql';

/** Returns whether a language is the platform's SQL, in a file or on a server. */
export const isSqlLanguage = (languageId: string): boolean =>
  languageId === languages.sql || languageId === languages.documentSql;

/** The settings that the manifest contributes, by name without prefix, with the types of their values. */
export interface Settings {
  'documents.openAs': 'form' | 'text';
  'builds.pollInterval': number;
  'explorer.pageSize': number;
  'explorer.groupViewpoints': boolean;
  'builds.notifications': 'none' | 'failures' | 'progress' | 'all';
  'history.maxSize': number;
  'history.maxAge': number;
  'rules.batchSize': number;
  'network.requestTimeout': number;
  'network.concurrency': number;
  'network.certificateFile': string;
}

export const settingsPrefix = 'datamodelStudio';
