import type * as vscode from 'vscode';
import { getFileKind } from '../../../project/files/fileKinds.ts';

/** The documents that may describe a part of a datamodel: rules and viewpoints have language features of their own. */
export const modelFileSelector: vscode.DocumentSelector = {
  scheme: 'file',
  pattern: '**/*.{datamodel,dataset,table,relation}.json',
};

/** The documents that may be files of a project. */
export const projectFileSelector: vscode.DocumentSelector = [
  { scheme: 'file', pattern: '**/*.{datamodel,dataset,table,relation,rules,viewpoint}.json' },
  { scheme: 'file', pattern: '**/*.datamodel.sql' },
];

export const mayBeProjectFile = ({ uri }: Pick<vscode.TextDocument, 'uri'>): boolean =>
  uri.scheme === 'file' && getFileKind(uri.path) !== undefined;
