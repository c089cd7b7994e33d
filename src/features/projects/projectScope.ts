import { basename } from 'node:path';
import * as vscode from 'vscode';
import { showModalQuestion } from '../../platform/messages.ts';
import { describeLimits } from '../../project/messages/describeLimits.ts';
import type { SelectionLimits } from '../../project/settings/projectSettings.ts';
import type { ProjectSelection } from './projectSelection.ts';

const t = vscode.l10n.t;

/** The commands whose scope can be limited to some datamodels and viewpoints of a project. */
export type ScopedCommand = 'pull' | 'plan' | 'apply';

/** What a command applies to. */
export interface ProjectScope {
  /** The datamodels and viewpoints; `undefined` for the whole project. */
  readonly limits: SelectionLimits | undefined;
  /** The part of the project that the limits select; `undefined` for the whole project. */
  readonly part: string | undefined;
  /** The name of the project, with the part that the command applies to. */
  readonly name: string;
}

/**
 * Returns what a command applies to. If it can't be limited to the selected files, asks whether it may apply to the
 * whole project; returns `undefined` if the user cancels.
 */
export async function resolveScope(
  { project, paths }: ProjectSelection,
  command: ScopedCommand,
): Promise<ProjectScope | undefined> {
  const name = basename(project.folder.fsPath);
  const limits = await project.getSelectionLimits(paths);
  if (limits !== undefined) {
    const part = describeLimits(t, limits);
    return { limits, part, name: part === undefined ? name : `${name} (${part})` };
  }
  if (paths.length > 0) {
    const { question, label } = getQuestion(command);
    const detail = t(
      'Only whole datamodels and viewpoints can be selected, and only if their files can be read.',
    );
    if ((await showModalQuestion(question, detail, label)) !== label) {
      return undefined;
    }
  }
  return { limits: undefined, part: undefined, name };
}

function getQuestion(command: ScopedCommand): { readonly question: string; readonly label: string } {
  switch (command) {
    case 'pull':
      return {
        question: t("The pull can't be limited to these files. Pull the whole project?"),
        label: t('Pull Whole Project'),
      };
    case 'plan':
      return {
        question: t("The plan can't be limited to these files. Plan the whole project?"),
        label: t('Plan Whole Project'),
      };
    case 'apply':
      return {
        question: t("The apply can't be limited to these files. Plan the whole project?"),
        label: t('Plan Whole Project'),
      };
  }
}
