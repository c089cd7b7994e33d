import type * as vscode from 'vscode';
import { getFileKind } from '../../../project/files/fileKinds.ts';

/** The documents that may be files of a project. */
export const projectFileSelector: vscode.DocumentSelector = {
  scheme: 'file',
  pattern: '**/*.{datamodel,dataset,table,relation,rules,viewpoint}.json',
};

/** Likewise, with SQL. */
export const projectFileOrSqlSelector: vscode.DocumentSelector = [
  projectFileSelector,
  { scheme: 'file', pattern: '**/*.datamodel.sql' },
];

export const mayBeProjectFile = ({ uri }: Pick<vscode.TextDocument, 'uri'>): boolean =>
  uri.scheme === 'file' && getFileKind(uri.path) !== undefined;
