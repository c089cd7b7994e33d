import type * as vscode from 'vscode';
import { getFileKind } from '../../../project/files/fileKinds.ts';
import { projectFileName } from '../../../project/projectFileName.ts';

/** The documents that may describe a part of a datamodel: rules and viewpoints have language features of their own. */
export const modelFileSelector: vscode.DocumentFilter = {
  scheme: 'file',
  pattern: '**/*.{datamodel,dataset,table,relation}.json',
};

/** The documents that may be files of a project. */
export const projectFileSelector: vscode.DocumentSelector = [
  { scheme: 'file', pattern: '**/*.{datamodel,dataset,table,relation,rules,viewpoint}.json' },
  { scheme: 'file', pattern: '**/*.datamodel.sql' },
];

/** The documents that may be JSON files or settings of a project, whose misspelled names have fixes. */
export const jsonFileSelector: vscode.DocumentSelector = [
  modelFileSelector,
  { scheme: 'file', pattern: '**/*.{rules,viewpoint}.json' },
  { scheme: 'file', pattern: `**/${projectFileName}` },
  { scheme: 'file', pattern: '**/environments/*.json' },
];

export const mayBeProjectFile = ({ uri }: Pick<vscode.TextDocument, 'uri'>): boolean =>
  uri.scheme === 'file' && getFileKind(uri.path) !== undefined;
