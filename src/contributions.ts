import type { DatamodelType } from './contract/datamodel.ts';

/** What a command on a connection needs to know; tree nodes are passed as such. */
export interface ConnectionTarget {
  readonly connectionId: string;
}

/** What a command on a datamodel needs to know; tree nodes are passed as such. */
export interface DatamodelTarget {
  readonly connectionId: string;
  readonly datamodelId: string;
  readonly title: string;
  readonly type: DatamodelType;
}

/** What a command on a build task needs to know. */
export interface BuildTarget {
  readonly connectionId: string;
  readonly oid: string;
}

/** Every command of the product with the arguments that menus and code pass it; none from the palette. */
export interface Commands {
  'datamodelStudio.sandbox.start': [];
  'datamodelStudio.sandbox.stop': [];
  'datamodelStudio.connections.add': [];
  'datamodelStudio.connections.edit': [target?: ConnectionTarget];
  'datamodelStudio.connections.remove': [target?: ConnectionTarget];
  'datamodelStudio.connections.signIn': [target?: ConnectionTarget];
  'datamodelStudio.connections.signOut': [target?: ConnectionTarget];
  'datamodelStudio.connections.unlock': [target?: ConnectionTarget];
  'datamodelStudio.connections.lock': [target?: ConnectionTarget];
  'datamodelStudio.connections.export': [];
  'datamodelStudio.connections.import': [];
  'datamodelStudio.explorer.refresh': [node?: { readonly id: string }];
  'datamodelStudio.explorer.loadMore': [node?: { readonly id: string; more(): Promise<void> }];
  'datamodelStudio.builds.start': [target?: DatamodelTarget];
  'datamodelStudio.builds.cancel': [target?: BuildTarget];
  'datamodelStudio.builds.cancelAll': [target?: DatamodelTarget];
  'datamodelStudio.builds.show': [];
  'datamodelStudio.log.show': [];
}
export type CommandId = keyof Commands;

/** The views that the manifest contributes. */
export const views = { explorer: 'datamodelStudio.explorer' } as const;

/** The settings that the manifest contributes, without their prefix, and their types. */
export interface Settings {
  'builds.pollInterval': number;
  'network.requestTimeout': number;
  'network.concurrency': number;
  'network.certificateFile': string;
}

export const settingsPrefix = 'datamodelStudio';
