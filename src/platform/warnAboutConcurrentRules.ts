import * as vscode from 'vscode';
import { getSubjectTitle } from '../catalog/ruleSubject.ts';
import type { SubjectTarget } from '../contributions.ts';
import { runCommand } from './commands.ts';
import { showWarning } from './messages.ts';

const t = vscode.l10n.t;

/**
 * Warns that other rules were changed at the same time: together, both changes may grant access that neither intended.
 */
export async function warnAboutConcurrentRules(target: SubjectTarget): Promise<void> {
  const showAccessLabel = t('Show Effective Access');
  const text = t(
    'Your data security rules for {0} were saved. Other rules on the same columns were changed on the server in the meantime and were kept.',
    getSubjectTitle(target.subject),
  );
  if ((await showWarning(text, showAccessLabel)) === showAccessLabel) {
    await runCommand('datamodelStudio.access.open', target);
  }
}
