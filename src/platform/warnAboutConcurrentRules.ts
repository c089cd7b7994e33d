import * as vscode from 'vscode';
import { getSubjectTitle } from '../catalog/ruleSubject.ts';
import type { SubjectTarget } from '../contributions.ts';
import { runCommand } from './commands.ts';
import { showWarning } from './messages.ts';

const t = vscode.l10n.t;

/** Says that other rules were changed while ours were: together they may show what neither of both meant to. */
export async function warnAboutConcurrentRules(target: SubjectTarget): Promise<void> {
  const look = t('Who Sees What');
  const text = t(
    'Your data security rules of {0} are saved. Other rules of the same columns were changed on the server at the same time and were kept.',
    getSubjectTitle(target.subject),
  );
  if ((await showWarning(text, look)) === look) {
    await runCommand('datamodelStudio.access.open', target);
  }
}
